import type { KeyAccess } from '@atrium/contract'
import { Checkbox, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { texts } from '../../text/console.ts'
import { useExperiments } from '../experiments/experiment-queries.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { Failure } from '../feedback/failure.tsx'
import { CreatedKey } from './created-key.tsx'
import {
  checkForm,
  emptyForm,
  exampleFor,
  type KeyForm,
  type KeyProblems,
  lifetimes,
  problemsIn,
} from './key-form.ts'
import { useCreateKey } from './key-queries.ts'

interface NewKeyDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Asks what a key is for, and shows it once. */
export function NewKeyDialog({ isOpen, onClose }: NewKeyDialogProps) {
  const text = texts().keyForm
  const [form, setForm] = useState(emptyForm)
  const [problems, setProblems] = useState<KeyProblems>({})
  const creation = useCreateKey()
  const nameField = useRef<HTMLInputElement>(null)
  const show = (found: KeyProblems) => {
    setProblems(found)
    if (found.name) nameField.current?.focus()
  }
  const submit = () => {
    const checked = checkForm(form, Date.now())
    if (checked.kind === 'invalid') return show(checked.problems)
    creation.mutate(checked.body, { onError: (error) => show(problemsIn(error)) })
  }
  const change = (changed: Partial<KeyForm>) => {
    setForm({ ...form, ...changed })
    setProblems({})
  }
  if (creation.data) {
    const example = exampleFor(location.origin, form.scope === 'some' ? form.experiments : undefined)
    return <CreatedKey apiKey={creation.data.key} example={example} isOpen={isOpen} onClose={onClose} />
  }
  const isExplained = creation.error && Object.keys(problemsIn(creation.error)).length > 0
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.title}
      confirmLabel={text.submit}
      isBusy={creation.isPending}
      onConfirm={submit}
      onCancel={onClose}
      isNoValidate
    >
      <TextInput
        ref={nameField}
        label={text.name}
        description={text.nameHint}
        value={form.name}
        error={problems.name}
        maxLength={200}
        autoComplete="off"
        required
        data-autofocus
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Access value={form.access} onChange={(access) => change({ access })} />
      <Scope form={form} problem={problems.experiments} onChange={change} />
      <NativeSelect
        label={text.expires}
        data={lifetimes.map((value) => ({ value, label: text.lifetimes[value] }))}
        value={form.lifetime}
        onChange={({ currentTarget }) => {
          const lifetime = lifetimes.find((one) => one === currentTarget.value)
          if (lifetime) change({ lifetime })
        }}
      />
      {creation.error && !isExplained && <Failure error={creation.error} title={text.failed} />}
    </ConfirmDialog>
  )
}

const accesses = ['read', 'write'] as const

function Access({ value, onChange }: { value: KeyAccess; onChange: (access: KeyAccess) => void }) {
  const text = texts().keyForm
  return (
    <Radio.Group
      label={text.access}
      value={value}
      onChange={(chosen) => onChange(chosen === 'write' ? 'write' : 'read')}
    >
      <Stack gap="xs" mt={4}>
        {accesses.map((access) => (
          <Radio
            key={access}
            value={access}
            label={text.accessNames[access]}
            description={text.accessHints[access]}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

const scopes = ['all', 'some'] as const

interface ScopeProps {
  form: KeyForm
  problem: string | undefined
  onChange: (changed: Partial<KeyForm>) => void
}

function Scope({ form, problem, onChange }: ScopeProps) {
  const text = texts().keyForm
  return (
    <>
      <Radio.Group
        label={text.scope}
        value={form.scope}
        onChange={(chosen) => onChange({ scope: chosen === 'some' ? 'some' : 'all' })}
      >
        <Stack gap="xs" mt={4}>
          {scopes.map((scope) => (
            <Radio
              key={scope}
              value={scope}
              label={text.scopes[scope].label}
              description={text.scopes[scope].hint}
            />
          ))}
        </Stack>
      </Radio.Group>
      {form.scope === 'some' && <Experiments form={form} problem={problem} onChange={onChange} />}
    </>
  )
}

/** An administrator’s key sees what is theirs or shared with them, so the others are not offered. */
function Experiments({ form, problem, onChange }: ScopeProps) {
  const text = texts().keyForm
  const { data, error, refetch } = useExperiments()
  if (error && !data) return <Failure error={error} onRetry={refetch} />
  const offered = (data ?? []).filter(({ access }) => access !== 'admin')
  if (data && offered.length === 0) return <Text size="sm">{text.noExperiments}</Text>
  return (
    <Checkbox.Group
      label={text.chosen}
      error={problem}
      value={form.experiments}
      onChange={(experiments) => onChange({ experiments })}
    >
      <Stack gap="xs" mt={4} className="key-experiments">
        {offered.map(({ experimentId, name }) => (
          <Checkbox key={experimentId} value={experimentId} label={name} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
