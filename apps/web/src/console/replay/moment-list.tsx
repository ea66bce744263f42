import type { RoomMoment } from '@atrium/contract'
import { Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { texts } from '../../text/console.ts'
import { elapsed, windowAround } from './player.ts'

/** A room may have twenty thousand. */
const maxShown = 200

interface MomentListProps {
  moments: readonly RoomMoment[]
  index: number
  onChoose: (index: number) => void
}

export function MomentList({ moments, index, onChoose }: MomentListProps) {
  const text = texts().replay
  const { from, to } = windowAround(moments.length, index, maxShown)
  const begin = moments[0]?.at ?? 0
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    if (!chosen || !list.current) return
    // Not scrollIntoView, which would also move the page.
    const { offsetTop, offsetHeight } = chosen
    const { scrollTop, clientHeight } = list.current
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight)
      list.current.scrollTop = offsetTop - clientHeight / 3
  }, [index])
  return (
    <section aria-labelledby="happened">
      <Title order={2} size="h4" id="happened" mb="xs">
        {text.happened}
      </Title>
      <ol className="replay-moments" ref={list}>
        {from > 0 && <li className="replay-rest">{text.earlier(from)}</li>}
        {moments.slice(from, to).map((moment, offset) => {
          const place = from + offset
          return (
            <li key={moment.number} data-index={place}>
              <button
                type="button"
                aria-current={place === index ? 'step' : undefined}
                onClick={() => onChoose(place)}
              >
                <span className="figure">{elapsed(moment.at - begin)}</span>
                <Text span size="sm" inherit className="replay-what">
                  {sentenceOf(moment)}
                </Text>
              </button>
              {moment.entered && <span className="replay-place">{placeOf(moment)}</span>}
            </li>
          )
        })}
        {to < moments.length && <li className="replay-rest">{text.later(moments.length - to)}</li>}
      </ol>
    </section>
  )
}

/** What happened, as a sentence. */
export const sentenceOf = ({ kind, alias, componentId, detail }: RoomMoment): string =>
  texts().replay.moment(kind, { who: alias ?? '', component: componentId ?? '', detail })

/** Where the room was: “Contribute · round 2 of 5”. */
export function placeOf({ state, ended, number }: RoomMoment): string {
  const text = texts().replay
  if (state) return text.place(state.name ?? state.id, state.round, state.rounds)
  if (ended) return text.ended
  return number <= 1 ? text.before : text.over
}
