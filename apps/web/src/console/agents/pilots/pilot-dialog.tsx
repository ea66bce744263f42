import { type Agent, limits } from '@atrium/contract'
import { Input, NativeSelect, NumberInput, Radio, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { ConfirmDialog } from '../../feedback/confirm-dialog.tsx'
import { Failure } from '../../feedback/failure.tsx'
import { notifyDone } from '../../feedback/notify.ts'
import { useCredentials } from '../credentials/credential-queries.ts'
import { useStartPilot } from '../study/study-queries.ts'
import {
  checkPilot,
  newPilotForm,
  type PilotForm,
  type PilotProblems,
  playerChoices,
  problemsIn,
} from './pilot-form.ts'

interface PilotDialogProps {
  experimentId: string
  agents: readonly Agent[]
  isOpen: boolean
  onClose: () => void
  onStarted: () => void
}

/** Asks how many rooms are played, by whom, and for how much. */
export function PilotDialog({ experimentId, agents, isOpen, onClose, onStarted }: PilotDialogProps) {
  const text = texts().pilots
  const [form, setForm] = useState(newPilotForm)
  const [problems, setProblems] = useState<PilotProblems>({})
  const [failure, setFailure] = useState<Error>()
  const start = useStartPilot(experimentId)
  const change = (changed: Partial<PilotForm>) => {
    setForm({ ...form, ...changed })
    setProblems({})
  }
  const submit = () => {
    setFailure(undefined)
    const checked = checkPilot(form, agents)
    if (checked.kind === 'invalid') return setProblems(checked.problems)
    start.mutate(checked.body, {
      onSuccess: ({ roomIds }) => {
        notifyDone(text.started(roomIds.length))
        onStarted()
        onClose()
      },
      onError: (error) => {
        const found = problemsIn(error)
        setProblems(found)
        if (Object.keys(found).length === 0) setFailure(error)
      },
    })
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.dialogTitle}
      confirmLabel={text.confirm}
      isBusy={start.isPending}
      isNoValidate
      onConfirm={submit}
      onCancel={onClose}
    >
      <NumberInput
        label={text.rooms}
        description={text.roomsHint(limits.pilotRooms)}
        value={form.rooms}
        error={problems.rooms}
        min={1}
        max={limits.pilotRooms}
        allowDecimal={false}
        clampBehavior="none"
        data-autofocus
        onChange={(rooms) => change({ rooms })}
      />
      <Players form={form} problems={problems} onChange={change} />
      <Budget form={form} problems={problems} onChange={change} />
      {failure && <Failure error={failure} title={text.failed} />}
    </ConfirmDialog>
  )
}

interface FieldsProps {
  form: PilotForm
  problems: PilotProblems
  onChange: (changed: Partial<PilotForm>) => void
}

function Players({ form, problems, onChange }: FieldsProps) {
  const text = texts().pilots
  return (
    <>
      <Radio.Group
        label={text.players}
        value={form.players}
        onChange={(value) => {
          const players = playerChoices.find((choice) => choice === value)
          if (players) onChange({ players })
        }}
      >
        <Stack gap="xs" mt={4}>
          {playerChoices.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={text.playerChoices[choice].label}
              description={text.playerChoices[choice].hint}
            />
          ))}
        </Stack>
      </Radio.Group>
      {form.players === 'model' && <ModelPlayer form={form} problems={problems} onChange={onChange} />}
    </>
  )
}

function ModelPlayer({ form, problems, onChange }: FieldsProps) {
  const text = texts().pilots
  const { data: credentials } = useCredentials()
  if (credentials?.length === 0) return <Text size="sm">{text.noCredentials}</Text>
  return (
    <>
      <NativeSelect
        label={text.credential}
        value={form.credentialId}
        error={problems.credentialId}
        onChange={(event) => onChange({ credentialId: event.currentTarget.value })}
        data={[
          { value: '', label: '' },
          ...(credentials ?? []).map(({ credentialId, name, model }) => ({
            value: credentialId,
            label: `${name} · ${model}`,
          })),
        ]}
      />
      <Textarea
        label={text.instructions}
        description={text.instructionsHint}
        value={form.instructions}
        error={problems.instructions}
        maxLength={50_000}
        autosize
        minRows={2}
        maxRows={8}
        onChange={(event) => onChange({ instructions: event.currentTarget.value })}
      />
    </>
  )
}

function Budget({ form, problems, onChange }: FieldsProps) {
  const text = texts().pilots
  return (
    <Input.Wrapper label={text.budget} description={text.budgetHint} labelElement="div">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" mt={4}>
        {(['turns', 'tokens', 'money'] as const).map((name) => (
          <NumberInput
            key={name}
            label={text[name]}
            value={form[name]}
            error={problems[name]}
            min={0}
            thousandSeparator=","
            allowDecimal={name === 'money'}
            clampBehavior="none"
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
      </SimpleGrid>
    </Input.Wrapper>
  )
}
