import type { PersonStep } from '@atrium/contract'
import { Text, Timeline } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { cellText } from '../exports/preview-rows.ts'

/** Long answers are cut off here; the export has them whole. */
const longestValue = 300

const colours: Partial<Record<PersonStep['kind'], string>> = {
  completed: 'teal',
  ended: 'teal',
  stopped: 'red',
  dropped: 'red',
  declined: 'red',
}

/** What happened, one below the other, with the time since the first. */
export function StepList({ steps }: { steps: readonly PersonStep[] }) {
  const { people: text, format } = texts()
  const start = steps[0]?.at ?? 0
  return (
    <Timeline active={steps.length} bulletSize={14} lineWidth={2} maw={760}>
      {steps.map((step) => (
        <Timeline.Item
          key={steps.indexOf(step)}
          color={colours[step.kind] ?? 'accent'}
          title={text.steps[step.kind]}
        >
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {detailsOf(step)}
          </Text>
          <Text size="xs" c="dimmed" className="figure">
            {format.dateTime(step.at)} · {text.after(step.at - start)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

function detailsOf({ stateId, componentId, round, value, durationMs }: PersonStep): string {
  const { people: text, format } = texts()
  const written = cellText(value)
  return [
    stateId,
    componentId,
    round === null ? null : text.round(round),
    written === '' ? null : written.slice(0, longestValue),
    durationMs === null ? null : format.latency(durationMs),
  ]
    .filter((part) => part !== null)
    .join(' · ')
}
