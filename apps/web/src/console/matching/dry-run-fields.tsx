import type { DryRunArrivals } from '@atrium/contract'
import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Textarea,
} from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { arrivalPatterns, arrivalsOf, type DryRunForm } from './dry-run-figures.ts'

interface DryRunFieldsProps {
  isBusy: boolean
  /** Participant variables of the study. */
  variables: readonly string[]
  onRun: (arrivals: DryRunArrivals, likeEarlier: boolean) => void
}

export function DryRunFields({ isBusy, variables, onRun }: DryRunFieldsProps) {
  const text = texts().dryRun
  const [form, setForm] = useState<DryRunForm>({
    people: 200,
    perMinute: 6,
    pattern: 'poisson',
    leaveAfterMinutes: '',
    answers: '',
    likeEarlier: false,
  })
  const [refused, setRefused] = useState<{ field: keyof DryRunForm; message: string }>()
  const change = (changed: Partial<DryRunForm>) => {
    setForm({ ...form, ...changed })
    setRefused(undefined)
  }
  const errorAt = (field: keyof DryRunForm) => (refused?.field === field ? refused.message : undefined)
  const submit = () => {
    const parsed = arrivalsOf(form, variables)
    if (parsed.ok) onRun(parsed.arrivals, form.likeEarlier)
    else setRefused(parsed)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} verticalSpacing="sm">
          <NumberInput
            label={text.people}
            description={text.peopleHint}
            value={form.people}
            onChange={(people) => change({ people })}
            error={errorAt('people')}
            min={1}
            thousandSeparator=","
            allowDecimal={false}
          />
          <NumberInput
            label={text.perMinute}
            description={text.perMinuteHint}
            value={form.perMinute}
            onChange={(perMinute) => change({ perMinute })}
            error={errorAt('perMinute')}
            disabled={form.pattern === 'all_at_once'}
            min={0}
          />
          <NativeSelect
            label={text.arrivals}
            description={text.arrivalsHint}
            value={form.pattern}
            onChange={(event) => {
              const pattern = arrivalPatterns.find((each) => each === event.currentTarget.value)
              if (pattern) change({ pattern })
            }}
            data={arrivalPatterns.map((value) => ({ value, label: text.patterns[value] }))}
          />
          <NumberInput
            label={text.leaveAfter}
            description={text.leaveAfterHint}
            value={form.leaveAfterMinutes}
            onChange={(leaveAfterMinutes) => change({ leaveAfterMinutes })}
            error={errorAt('leaveAfterMinutes')}
            min={0}
          />
        </SimpleGrid>
        <Textarea
          label={text.answers}
          description={text.answersHint}
          placeholder={text.answersExample}
          value={form.answers}
          onChange={(event) => change({ answers: event.currentTarget.value })}
          error={errorAt('answers')}
          autosize
          minRows={2}
          maxRows={8}
        />
        {variables.length > 0 && (
          <Checkbox
            label={text.likeEarlier}
            description={text.likeEarlierHint}
            checked={form.likeEarlier}
            onChange={(event) => change({ likeEarlier: event.currentTarget.checked })}
          />
        )}
        <Group>
          <Button type="submit" loading={isBusy}>
            {text.run}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
