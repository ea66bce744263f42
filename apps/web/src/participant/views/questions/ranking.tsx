import { useEffect, useRef, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { Picture } from '../display/image.tsx'
import { type Option, useOptions } from '../settings/options.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import { answerOf, isFixed, listIn } from './answer.ts'
import { useDrawnOrder } from './drawn-order.ts'
import { Question } from './question.tsx'
import { moved, rankedItems } from './ranking-order.ts'
import { useDrag } from './use-drag.ts'
import './questions.css'

export function Ranking(props: SettledProps<'ranking'>) {
  const { settings, onDraft } = props
  const { label, help, shuffle } = settings
  const shown = useDrawnOrder(useOptions(settings.items), shuffle, props)
  const answer = answerOf(props)
  const ranked = rankedItems(answer, shown)
  // Items that have appeared since then are not ranked yet.
  const isRanked = listIn(answer).length === shown.length
  const rank = (order: readonly Option[]) => onDraft(order.map(({ value }) => value))
  return (
    <Question
      props={props}
      label={label}
      help={help}
      hint={isFixed(props) ? texts().views.ranking.hintFixed : texts().views.ranking.hint}
      isGroup
    >
      {() => (
        <>
          <RankedList items={ranked} isFixed={isFixed(props)} onRank={rank} />
          {!isRanked && !isFixed(props) && (
            <button type="button" className="button is-quiet" onClick={() => rank(ranked)}>
              {texts().views.ranking.keep}
            </button>
          )}
        </>
      )}
    </Question>
  )
}

interface RankedListProps {
  items: readonly Option[]
  isFixed: boolean
  onRank(order: readonly Option[]): void
}

function RankedList({ items, isFixed, onRank }: RankedListProps) {
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const keepFocus = useFocusKept(items)
  const move = (from: number, to: number) => {
    const item = items[from]
    if (item === undefined || to < 0 || to >= items.length || from === to) return
    setAnnouncement(texts().views.ranking.moved(item.label, to + 1, items.length))
    onRank(moved(items, from, to))
  }
  const drag = useDrag(list, items, move)
  return (
    <>
      <ol className="ranking" ref={list} {...(!isFixed && drag.onList)}>
        {items.map((item, place) => (
          <li
            className="ranked"
            key={`${typeof item.value} ${item.value}`}
            data-dragged={drag.dragged === item.value || undefined}
            {...(!isFixed && drag.onItem(item))}
          >
            <span className="rank">{place + 1}</span>
            {item.image !== undefined && <Picture src={item.image} alt={item.alt} />}
            <span className="ranked-label">{item.label}</span>
            {!isFixed && (
              <>
                <Mover
                  sign="↑"
                  label={texts().views.ranking.moveUp(item.label)}
                  isAtEnd={place === 0}
                  onMove={(button) => keepFocus(button, () => move(place, place - 1))}
                />
                <Mover
                  sign="↓"
                  label={texts().views.ranking.moveDown(item.label)}
                  isAtEnd={place === items.length - 1}
                  onMove={(button) => keepFocus(button, () => move(place, place + 1))}
                />
                <span className="drag-handle" aria-hidden="true" data-handle>
                  ⠿
                </span>
              </>
            )}
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  )
}

interface MoverProps {
  sign: string
  label: string
  isAtEnd: boolean
  onMove(button: HTMLButtonElement): void
}

/** `aria-disabled` rather than `disabled` at the end of the list: a disabled button would lose the focus. */
const Mover = ({ sign, label, isAtEnd, onMove }: MoverProps) => (
  <button
    type="button"
    className="mover"
    aria-label={label}
    aria-disabled={isAtEnd}
    onClick={(event) => onMove(event.currentTarget)}
  >
    <span aria-hidden="true">{sign}</span>
  </button>
)

/** Gives the focus back to the button that was pressed: an entry that moves in the DOM loses it. */
function useFocusKept(items: readonly Option[]) {
  const pressed = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  }, [items])
  return (button: HTMLButtonElement, act: () => void) => {
    pressed.current = button
    act()
  }
}
