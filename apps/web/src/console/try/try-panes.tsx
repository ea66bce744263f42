import type { StartedTry } from '@atrium/contract'
import { Text } from '@mantine/core'
import { texts } from '../../text/console.ts'

export type PaneWidth = 'phone' | 'desktop'

interface TryPanesProps {
  started: StartedTry
  width: PaneWidth
  nameOfRole: (role: string) => string | undefined
}

/** The real participant page, once per seat: each pane is a guest of its own. */
export function TryPanes({ started, width, nameOfRole }: TryPanesProps) {
  const text = texts().tryIt
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: panes wider than the window are scrolled with the keyboard.
    <section className="try-panes" data-width={width} aria-label={text.panes} tabIndex={0}>
      {started.seats.map(({ role }, at) => {
        const name = text.pane(at + 1, nameOfRole(role))
        const seat = String(at + 1)
        const query = new URLSearchParams({ ...(nameOfRole(role) !== undefined && { role }), seat })
        return (
          <div className="try-pane" key={seat}>
            <Text fw={600} size="sm">
              {name}
            </Text>
            <iframe title={text.frame(name)} src={`${started.link}?${query}`} />
          </div>
        )
      })}
    </section>
  )
}
