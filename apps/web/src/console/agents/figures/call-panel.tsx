import { SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { texts } from '../../../text/console.ts'
import { Figure } from '../../feedback/figure.tsx'
import { type CountedCalls, callsInWords } from './call-rows.ts'
import { CallTable } from './call-table.tsx'

const CallCharts = lazy(() => import('./call-charts.tsx'))
export const panelHeight = 400

/** A day: long enough to show a session, short enough to show what is wrong now. */
export const usualMinutes = 1_440

interface RangeControlProps {
  minutes: number
  onChange: (minutes: number) => void
}

export const RangeControl = ({ minutes, onChange }: RangeControlProps) => (
  <SegmentedControl
    aria-label={texts().calls.range}
    value={String(minutes)}
    onChange={(value) => onChange(Number(value))}
    data={texts().calls.ranges.map((range) => ({ value: String(range.minutes), label: range.label }))}
  />
)

interface CallPanelProps {
  counted: CountedCalls
  minutes: number
  /** When the figures were read. */
  now: number
}

/** Calls of models: the totals, the course over time, and the same as a sentence and a table. */
export function CallPanel({ counted, minutes, now }: CallPanelProps) {
  const { calls: text, format } = texts()
  const { figures, window } = counted
  const { lastError } = figures
  const inWords = callsInWords(counted, minutes)
  return (
    <Stack gap="sm">
      <Totals counted={counted} />
      {lastError && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text.lastError(format.ago(lastError.at, now))} {lastError.message}
        </Text>
      )}
      {figures.calls > 0 && (
        <Suspense fallback={<Skeleton height={panelHeight} />}>
          <CallCharts counted={counted} label={inWords} />
        </Suspense>
      )}
      <Text size="sm">
        {inWords}
        {window.isPartial && ` ${text.isPartial}`}
      </Text>
      {figures.calls > 0 && <CallTable counted={counted} />}
    </Stack>
  )
}

function Totals({ counted: { figures } }: { counted: CountedCalls }) {
  const { calls: text, format, feedback } = texts()
  const { calls, turns, failures, latencyMs, promptTokens, completionTokens, money } = figures
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
      <Figure label={text.calls} value={format.number(calls)} note={text.turnsNote(turns)} />
      <Figure
        label={text.failures}
        value={format.number(failures)}
        note={
          calls === 0
            ? ''
            : failures === 0
              ? text.noFailures
              : text.failuresNote(format.share(failures, calls))
        }
        isAlarming={failures > 0}
      />
      <Figure
        label={text.latency}
        value={latencyMs ? format.latency(latencyMs.p50) : feedback.none}
        note={latencyMs ? text.p95Note(format.latency(latencyMs.p95)) : ''}
      />
      <Figure
        label={text.tokens}
        value={format.shortNumber(promptTokens + completionTokens)}
        note={text.tokensNote(format.shortNumber(promptTokens), format.shortNumber(completionTokens))}
      />
      <Figure
        label={text.money}
        value={money > 0 ? format.money(money) : feedback.none}
        note={money > 0 ? text.moneyNote : text.noPrice}
      />
    </SimpleGrid>
  )
}
