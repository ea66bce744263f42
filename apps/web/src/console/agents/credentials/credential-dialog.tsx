import { type Credential, modelTimeoutMs } from '@atrium/contract'
import { NumberInput, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { ConfirmDialog } from '../../feedback/confirm-dialog.tsx'
import { Failure } from '../../feedback/failure.tsx'
import { notifyDone } from '../../feedback/notify.ts'
import {
  type CredentialForm,
  checkForm,
  type FormProblems,
  firstProblem,
  formFor,
  isOtherServer,
  problemsIn,
} from './credential-form.ts'
import { useSaveCredential } from './credential-queries.ts'

interface CredentialDialogProps {
  /** Undefined to add one. */
  credential?: Credential | undefined
  isOpen: boolean
  onClose: () => void
}

/** Asks for a model server. The key goes to the platform, and never comes back. */
export function CredentialDialog({ credential, isOpen, onClose }: CredentialDialogProps) {
  const text = texts().credentialForm
  const [form, setForm] = useState(() => formFor(credential))
  const { problems, failure, isBusy, submit, forget } = useSubmit(credential, onClose)
  const fields = useRef<HTMLDivElement>(null)
  const show = (found: FormProblems) => {
    const field = firstProblem(found)
    // Wait until React has rendered the problem, which the field then announces.
    if (field) requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>(`#${field}`)?.focus())
  }
  const field = (name: Exclude<keyof CredentialForm, 'timeoutSeconds'>) => ({
    id: name,
    value: form[name],
    error: problems[name],
    autoComplete: 'off',
    required: true,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      setForm({ ...form, [name]: event.currentTarget.value })
      forget(name)
    },
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={credential ? text.changeTitle(credential.name) : text.addTitle}
      confirmLabel={credential ? text.save : text.add}
      isBusy={isBusy}
      onConfirm={() => submit(form, show)}
      onCancel={onClose}
      isNoValidate
    >
      <div ref={fields} style={{ display: 'contents' }}>
        <TextInput {...field('name')} label={text.name} description={text.nameHint} data-autofocus />
        <TextInput
          {...field('baseUrl')}
          label={text.baseUrl}
          description={text.baseUrlHint}
          type="url"
          inputMode="url"
          spellCheck={false}
        />
        <TextInput
          {...field('apiKey')}
          label={text.apiKey}
          description={keyHint(form, credential)}
          type="password"
          // Browsers would offer to store it as the password of this page.
          autoComplete="new-password"
          required={credential === undefined || isOtherServer(form.baseUrl, credential)}
        />
        <TextInput {...field('model')} label={text.model} description={text.modelHint} spellCheck={false} />
        <NumberInput
          id="timeoutSeconds"
          label={text.timeout}
          description={text.timeoutHint}
          value={form.timeoutSeconds}
          error={problems.timeoutSeconds}
          min={modelTimeoutMs.min / 1_000}
          max={modelTimeoutMs.max / 1_000}
          clampBehavior="none"
          allowDecimal={false}
          onChange={(timeoutSeconds) => {
            setForm({ ...form, timeoutSeconds })
            forget('timeoutSeconds')
          }}
        />
      </div>
      {failure && <Failure error={failure} title={text.failed} />}
    </ConfirmDialog>
  )
}

function keyHint({ baseUrl }: CredentialForm, credential: Credential | undefined): string {
  const { apiKeyHint, keepKey, keyForOtherServer } = texts().credentialForm
  if (isOtherServer(baseUrl, credential)) return keyForOtherServer
  return credential?.isKeyReadable ? keepKey(credential.keyHint) : apiKeyHint
}

function useSubmit(credential: Credential | undefined, onClose: () => void) {
  const [problems, setProblems] = useState<FormProblems>({})
  const [failure, setFailure] = useState<Error>()
  const save = useSaveCredential(credential?.credentialId)
  const submit = (form: CredentialForm, onProblems: (found: FormProblems) => void) => {
    const fail = (found: FormProblems) => {
      setProblems(found)
      onProblems(found)
    }
    const checked = checkForm(form, credential)
    setFailure(undefined)
    if (checked.kind === 'invalid') return fail(checked.problems)
    save.mutate(checked.body, {
      onSuccess: ({ name }) => {
        const { added, changed } = texts().credentialForm
        notifyDone(credential ? changed(name) : added(name))
        onClose()
      },
      onError: (error) => {
        const found = problemsIn(error)
        if (Object.keys(found).length > 0) fail(found)
        else setFailure(error)
      },
    })
  }
  const forget = (name: keyof CredentialForm) => setProblems(({ [name]: _forgotten, ...others }) => others)
  return { problems, failure, isBusy: save.isPending, submit, forget }
}
