import type { ProlificSubmission } from '@atrium/contract'
import { Button, Code, Group, NumberInput, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { Failure } from '../feedback/failure.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { useSubmissionStep, useSubmissions } from './prolific-queries.ts'

interface StudyProps {
  experimentId: string
  studyId: string
}

export function Submissions({ experimentId, studyId, name }: StudyProps & { name: string }) {
  const text = texts().recruiting.submissions
  const query = useSubmissions(experimentId, studyId)
  return (
    <section aria-labelledby="submissions">
      <Group justify="space-between" mb="sm">
        <Title order={3} size="h5" id="submissions">
          {text.title(name)}
        </Title>
        <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
          {text.refresh}
        </Button>
      </Group>
      <Loaded query={query}>
        {({ submissions, isComplete }) => (
          <Stack>
            {submissions.length === 0 && <NothingHere title={text.none}>{text.noneMessage}</NothingHere>}
            {submissions.length > 0 && (
              <SubmissionTable submissions={submissions} study={{ experimentId, studyId }} />
            )}
            {!isComplete && <Text size="sm">{text.more}</Text>}
          </Stack>
        )}
      </Loaded>
    </section>
  )
}

function SubmissionTable({ submissions, study }: { submissions: ProlificSubmission[]; study: StudyProps }) {
  const text = texts().recruiting.submissions
  const { none } = texts().feedback
  return (
    <RowTable
      rows={submissions}
      keyOf={({ submissionId }) => submissionId}
      minWidth={720}
      columns={[
        {
          header: text.submission,
          cell: ({ submissionId }) => <Code>{submissionId}</Code>,
          breaksAnywhere: true,
        },
        { header: text.status, cell: ({ status }) => status },
        { header: text.code, cell: ({ code }) => code ?? none, breaksAnywhere: true },
        { header: text.actions, cell: (row) => <Steps submission={row} study={study} /> },
      ]}
      card={(row) => (
        <Stack gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{row.submissionId}</Code>
          <Text size="sm">
            {row.status} · {row.code ?? none}
          </Text>
          <Steps submission={row} study={study} />
        </Stack>
      )}
    />
  )
}

function Steps({ submission, study }: { submission: ProlificSubmission; study: StudyProps }) {
  const { submissions: text } = texts().recruiting
  const { submissionId, status, bonus } = submission
  const [amount, setAmount] = useState<number | string>('')
  const [isPaying, setIsPaying] = useState(false)
  const step = useSubmissionStep(study.experimentId, study.studyId, submissionId)
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        {status === 'AWAITING REVIEW' && (
          <Button
            variant="default"
            loading={step.isPending}
            onClick={() => step.mutate({ kind: 'approve' })}
            aria-label={text.approveLabel(submissionId)}
          >
            {text.approve}
          </Button>
        )}
        {bonus ? (
          <Text size="sm">{text.paid(texts().format.number(bonus.amount), text.statuses[bonus.status])}</Text>
        ) : (
          <>
            <NumberInput
              aria-label={text.amount(submissionId)}
              placeholder={text.bonus}
              w={110}
              min={1}
              allowDecimal={false}
              value={amount}
              onChange={setAmount}
            />
            <Button
              variant="default"
              loading={step.isPending}
              disabled={!(Number(amount) >= 1)}
              onClick={() => setIsPaying(true)}
              aria-label={text.payLabel(submissionId)}
            >
              {text.pay}
            </Button>
          </>
        )}
      </Group>
      {bonus?.status === 'unknown' && (
        <Group gap="xs">
          <Text size="sm">{text.unknown}</Text>
          <Button variant="default" onClick={() => step.mutate({ kind: 'settle', isPaid: true })}>
            {text.wasPaid}
          </Button>
          <Button variant="default" onClick={() => step.mutate({ kind: 'settle', isPaid: false })}>
            {text.wasNotPaid}
          </Button>
        </Group>
      )}
      {step.error && <Failure error={step.error} title={text.failed} />}
      <PayDialog
        submissionId={submissionId}
        amount={Number(amount)}
        isOpen={isPaying}
        onCancel={() => setIsPaying(false)}
        onConfirm={() => {
          setIsPaying(false)
          step.mutate({ kind: 'pay', amount: Number(amount) })
        }}
      />
    </Stack>
  )
}

interface PayDialogProps {
  submissionId: string
  /** In pence or cents. */
  amount: number
  isOpen: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Money that is paid does not come back, so what will be paid is said first. */
function PayDialog({ submissionId, amount, ...dialog }: PayDialogProps) {
  const { confirmPay: text } = texts().recruiting.submissions
  const written = texts().format.number(amount)
  return (
    <ConfirmDialog {...dialog} title={text.title} confirmLabel={text.confirm(written)}>
      <Text>{text.message(written, 1)}</Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text.to(submissionId)}
      </Text>
      <Text size="sm">{text.once}</Text>
    </ConfirmDialog>
  )
}
