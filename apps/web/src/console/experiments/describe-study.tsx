import { type Credential, limits, type StudyDraft, studyDraftRoutes } from '@atrium/contract'
import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../../text/console.ts'
import { useCredentials } from '../agents/credentials/credential-queries.ts'
import { Dialog } from '../feedback/dialog.tsx'
import { Failure } from '../feedback/failure.tsx'
import { RunningWork } from '../feedback/running-work.tsx'
import { useApi } from '../session/session.ts'
import type { NewStudy } from './use-new-study.ts'

/** For researchers who have a model: it drafts what they describe, and they edit the draft in the builder. */
export function DescribeStudy({ study }: { study: NewStudy }) {
  const [isOpen, setOpen] = useState(false)
  // Kept while the dialog is closed: what somebody has written is not lost by Escape.
  const [description, setDescription] = useState('')
  const { data = [] } = useCredentials()
  const usable = data.filter(({ isOwn, isKeyReadable }) => isOwn && isKeyReadable)
  const [first] = usable
  if (!first) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {texts().describeStudy.title}
      </Button>
      <Dialog
        isOpen={isOpen}
        title={texts().describeStudy.title}
        onClose={() => setOpen(false)}
        closeOnClickOutside={false}
        size="lg"
      >
        <Description
          credentials={[first, ...usable.slice(1)]}
          study={study}
          description={description}
          onChange={setDescription}
        />
      </Dialog>
    </>
  )
}

interface DescriptionProps {
  credentials: readonly [Credential, ...Credential[]]
  study: NewStudy
  description: string
  onChange: (description: string) => void
}

function Description({ credentials, study, description, onChange }: DescriptionProps) {
  const text = texts().describeStudy
  const [credentialId, setCredentialId] = useState(credentials[0].credentialId)
  const draft = useStudyDraft((drafted) => study.openDraft(drafted))
  const { minCharacters, maxCharacters } = limits.studyDraft
  const isLongEnough = description.trim().length >= minCharacters
  const isRunning = draft.startedAt !== undefined
  return (
    <Stack>
      <Textarea
        label={text.label}
        description={text.hint}
        placeholder={text.placeholder}
        value={description}
        onChange={(event) => onChange(event.currentTarget.value)}
        maxLength={maxCharacters}
        readOnly={isRunning}
        autosize
        minRows={6}
        maxRows={14}
        data-autofocus
      />
      {credentials.length > 1 && (
        <NativeSelect
          label={text.model}
          data={credentials.map(({ credentialId: value, name }) => ({ value, label: name }))}
          value={credentialId}
          onChange={(event) => setCredentialId(event.currentTarget.value)}
          disabled={isRunning}
        />
      )}
      <Text size="sm" c="dimmed">
        {text.sentTo(credentials.find((each) => each.credentialId === credentialId)?.model ?? '')}
      </Text>
      {draft.error && <Failure error={draft.error} title={text.failed} />}
      {draft.startedAt === undefined ? (
        <Group justify="flex-end">
          <Button disabled={!isLongEnough} onClick={() => draft.start({ credentialId, description })}>
            {text.start}
          </Button>
        </Group>
      ) : (
        <Drafting startedAt={draft.startedAt} onCancel={draft.cancel} />
      )}
    </Stack>
  )
}

function Drafting({ startedAt, onCancel }: { startedAt: number; onCancel: () => void }) {
  const text = texts().describeStudy
  return (
    <Stack gap="xs">
      <RunningWork startedAt={startedAt} status={text.running} elapsed={text.elapsed} label={text.running} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {text.cancel}
        </Button>
      </Group>
    </Stack>
  )
}

interface AskedDraft {
  credentialId: string
  description: string
}

/** Has a model draft a study, which may take minutes; `cancel` ends it on the server as well, and so does leaving the page. */
function useStudyDraft(onDrafted: (draft: StudyDraft & { kind: 'drafted' }) => Promise<void>) {
  const api = useApi()
  const running = useRef<AbortController>(undefined)
  const draft = useMutation({
    mutationFn: async ({ credentialId, description }: AskedDraft) => {
      running.current = new AbortController()
      const { signal } = running.current
      const found = await api.call(studyDraftRoutes.create, {
        params: { credentialId },
        body: { description },
        signal,
      })
      if (found.kind === 'failed') throw new Error(found.message)
      // It arrived while it was being cancelled.
      if (!signal.aborted) await onDrafted(found)
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  return {
    start: (asked: AskedDraft) => draft.mutate(asked),
    cancel: () => running.current?.abort(),
    startedAt: draft.isPending ? draft.submittedAt : undefined,
    error: running.current?.signal.aborted ? null : draft.error,
  }
}
