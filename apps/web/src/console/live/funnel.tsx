import type { LiveExperiment } from '@atrium/contract'
import { Group, Text } from '@mantine/core'
import { texts } from '../../text/console.ts'

interface FunnelProps {
  live: LiveExperiment
  asksConsent: boolean
  formsGroups: boolean
}

/** How many came how far, each step as a share of those who arrived. */
export function Funnel({ live, asksConsent, formsGroups }: FunnelProps) {
  const { live: text, format } = texts()
  const steps = [
    [text.joined, live.joined],
    // Whoever was not asked has not agreed to anything.
    ...(asksConsent || live.consented < live.joined ? [[text.consented, live.consented] as const] : []),
    [text.placed, live.placed],
    [text.completed, live.completed],
  ] as const
  return (
    <div>
      <ol className="live-funnel" aria-label={text.funnel}>
        {steps.map(([label, people], step) => (
          <li key={label}>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Group gap={6} align="baseline">
              <Text fz={24} lh={1.3} fw={600} className="figure" span>
                {format.number(people)}
              </Text>
              {step > 0 && live.joined > 0 && (
                <Text size="sm" c="dimmed" className="figure" span>
                  {format.share(people, live.joined)}
                </Text>
              )}
            </Group>
            <div className="live-bar" aria-hidden>
              <span style={{ inlineSize: `${live.joined === 0 ? 0 : (100 * people) / live.joined}%` }} />
            </div>
          </li>
        ))}
      </ol>
      <Text size="sm" mt="xs" className="figure">
        {text.nowHere(live.active, formsGroups ? live.waiting.people : null)}
      </Text>
    </div>
  )
}
