import type { ComponentView } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { useState } from 'react'
import { texts } from '../../text/participant.ts'
import { offeredIn } from './shown.ts'

/** R61: what the last answer has brought, for those who do not see it. It takes the focus from nobody. */
export function Appeared({ shown }: { shown: readonly ComponentView[] }) {
  const [last, setLast] = useState({ shown, said: '', times: 0 })
  if (!isSame(last.shown, shown))
    setLast({ shown, said: whatAppeared(last.shown, shown), times: last.times + 1 })
  return (
    <p className="visually-hidden" role="status">
      {/* Something new each time: the same words in the same place would not be read again. */}
      <span key={last.times}>{last.said}</span>
    </p>
  )
}

const isSame = (before: readonly ComponentView[], now: readonly ComponentView[]): boolean =>
  before.length === now.length && now.every((one, at) => one === before[at])

function whatAppeared(before: readonly ComponentView[], now: readonly ComponentView[]): string {
  const offeredBefore = new Map(before.map((one) => [one.id, offeredIn(one)]))
  const added = now.filter(({ id }) => !offeredBefore.has(id))
  const questions = added.filter(({ type }) => componentTypeOf(type).responds !== 'none').length
  const grown = now.filter((one) => offeredIn(one) > (offeredBefore.get(one.id) ?? Infinity)).length
  const { appeared, contentAppeared, choicesAppeared } = texts().state
  return [
    questions > 0 && appeared(questions),
    questions === 0 && added.length > 0 && contentAppeared,
    grown > 0 && choicesAppeared(grown),
  ]
    .filter(Boolean)
    .join(' ')
}
