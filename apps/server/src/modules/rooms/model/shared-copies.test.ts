import { boundedWork } from '@atrium/expressions'
import { expect, it } from 'vitest'
import { component, group, playRoom, state } from '../test/played-room.ts'
import { createRoomTexts } from './texts-in-room.ts'
import { pageFor } from './view.ts'

const variables = { given: { scope: 'participant', initial: 0 } }

/** Thirty people who gave 1, 2, 3, … are asked about each other. */
function asked(label: string) {
  const roles = Array.from({ length: 30 }, () => 'participant')
  const give = component('give', 'slider', { saveTo: 'given' })
  const punish = component('punish', 'slider', {
    forEach: 'others',
    label,
    max: { from: 'each.given' },
    required: false,
  })
  const room = playRoom(
    group(
      [
        state('give', { components: [give], end: { on: 'all_responded' } }),
        state('punish', { components: [punish] }),
      ],
      { matching: { groupSize: 30 }, variables },
    ),
    { roles },
  )
  roles.forEach((_, at) => {
    room.respond(`p${at + 1}`, 'give', at + 1)
  })
  const work = boundedWork(1_000_000)
  const texts = createRoomTexts(room.room(), work)
  /** The page of somebody, and what writing it takes after those of all before. */
  const page = (who: string) => {
    const before = work.left
    const [asking] = pageFor(texts, room.blueprint, room.seat(who))?.view.state.components ?? []
    const labels = asking?.targets?.map(({ alias, component: one }) => [alias, one.label, one.max])
    return { labels, steps: before - work.left }
  }
  return { room, page }
}

it('[RM146,RM196] what is asked about somebody is written once for all who read it alike', () => {
  const { page } = asked('{{each.alias}} gave {{each.given}}')
  const first = page('p1')
  const second = page('p2')
  expect(first.labels?.slice(0, 2)).toEqual([
    ['P2', 'P2 gave 2', 2],
    ['P3', 'P3 gave 3', 3],
  ])
  expect(second.labels?.slice(0, 2)).toEqual([
    ['P1', 'P1 gave 1', 1],
    ['P3', 'P3 gave 3', 3],
  ])
  expect(second.steps).toBeLessThan(first.steps / 5)
})

it.each([
  ['what is theirs', '{{self.given}} and {{each.given}}', '1 and 3', '2 and 3'],
  ['what all others did', '{{sum(others.given) - each.given}}', '461', '460'],
  ['their own answer', '{{response.give}}', '1', '2'],
])('[RM196] where a question reads %s, everyone has their own', (_what, label, first, second) => {
  const { room, page } = asked(label)
  const about = (who: string) => page(who).labels?.find(([alias]) => alias === 'P3')?.[1]
  expect([about('p1'), about('p2')]).toEqual([first, second])
  expect(JSON.stringify(room.snapshot('p2').state)).toContain(`"label":"${second}"`)
})
