import type { ExperimentDefinition, RoomEvent } from '@atrium/contract'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { seeded } from '../../../../test/seed.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'

const ask = component('ask', 'slider', { saveTo: 'given', required: false })
const text = (id: string, shown: string) => component(id, 'text', { text: shown })
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))
const people = (count: number) => many(count, (index) => `p${index + 1}`)
const own = { scope: 'participant', initial: 0 }

const pagesTold = (heard: readonly RoomEvent[]) =>
  heard.flatMap((event) => (event.type === 'texts' || event.type === 'state_entered' ? [event] : []))

afterEach(() => vi.restoreAllMocks())

const reading = [
  'In the pot: {{pot}}. Mine: {{given}}, {{self.given}}, {{response.ask}}. The others: {{others.given}}.',
  'All: {{responses.ask}}, {{sum(responses.ask) | EUR}}. {{participants}} are here, {{ready}} ready, {{role}}.',
  'Mine twice: {{twice}}; of the others: {{others.twice}}. Above the mean: {{isAbove ? "yes" : "no"}}. {{round}}',
]

const anAction = fc.oneof(
  fc.record({ kind: fc.constant('respond' as const), who: fc.nat(2), value: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    kind: fc.constantFrom('ready', 'leave', 'say', 'pause', 'resume', 'away', 'back'),
    who: fc.nat(2),
  }),
)

it.each(['room', 'participant'] as const)(
  '[RM131] at the pace of the %s, what somebody was told last is what they would see after a reload',
  (pacing) => {
    const page = (id: string) =>
      state(id, { components: [ask, ...reading.map((one, at) => text(`t${at}`, one))] })
    const definition: Partial<ExperimentDefinition> = {
      pacing,
      variables: {
        given: own,
        pot: { compute: 'sum(responses.ask)' },
        twice: { scope: 'participant', compute: 'given * 2' },
        isAbove: { scope: 'participant', compute: 'response.ask > mean(responses.ask)' },
      },
      globalComponents: [component('chat', 'chat'), text('bar', 'Pot: {{pot}}, {{visit}}')],
      matching: { groupSize: 3 },
    }
    fc.assert(
      fc.property(fc.array(anAction, { maxLength: 25 }), (actions) => {
        const room = playRoom(group([page('one'), page('two'), state('after')], definition))
        for (const action of actions) {
          const participantId = `p${action.who + 1}`
          if ('value' in action) room.respond(participantId, 'ask', action.value)
          else if (action.kind === 'ready') room.ready(participantId)
          else if (action.kind === 'leave') room.leave(participantId)
          else if (action.kind === 'say') room.say(participantId, 'hello')
          else if (action.kind === 'away') room.disconnect(participantId)
          else if (action.kind === 'back') room.connect(participantId)
          else if (action.kind === 'pause') room.dispatch({ type: 'pause', by: 'researcher', reason: '' })
          else room.dispatch({ type: 'resume', by: 'researcher' })
          for (const one of people(3)) {
            const { state: shown, globalComponents } = room.snapshot(one)
            const told = pagesTold(room.heard(one)).at(-1)
            if (shown && told)
              expect({ ...told.state, deadlineAt: 0, globals: told.globalComponents }).toEqual({
                ...shown,
                deadlineAt: 0,
                globals: globalComponents,
              })
          }
        }
      }),
      { ...seeded, numRuns: 25, endOnFailure: true },
    )
  },
)

const lists = many(10, (index) => `{{others.given${index}}}`).join(' ')

it('[RM146] in a group of 50 with ten lists of what the others gave, an answer writes each changed list once and tells everyone', () => {
  const variables = Object.fromEntries(many(10, (index) => [`given${index}`, own]))
  const room = playRoom(
    group([state('s', { components: [{ ...ask, saveTo: 'given0' }, text('t', lists)] }), state('after')], {
      variables,
      matching: { groupSize: 50 },
    }),
  )
  const listsWritten = vi.spyOn(Intl.ListFormat.prototype, 'format')
  room.respond('p1', 'ask', 7)
  // Of everyone else the old and the new list, and the nine that have not changed; nobody’s page is written four times.
  expect(listsWritten.mock.calls.length).toBeLessThanOrEqual(49 * 11 + 2)
  for (const [items] of listsWritten.mock.calls)
    expect([...(items as string[])].length).toBeLessThanOrEqual(4)
  for (const one of people(50).slice(1)) expect(room.heard(one).at(-1)?.type).toBe('texts')
  expect(room.heard('p1').some(({ type }) => type === 'texts')).toBe(false)
})

it('[RM146] what nobody’s texts show writes nothing', () => {
  const variables = { given: own, other: own }
  const pages = [
    state('s', { components: [{ ...ask, saveTo: 'other' }, text('t', '{{others.given}}')] }),
    state('after'),
  ]
  const room = playRoom(group(pages, { variables, matching: { groupSize: 4 } }))
  const listsWritten = vi.spyOn(Intl.ListFormat.prototype, 'format')
  room.respond('p1', 'ask', 7)
  room.ready('p2')
  room.disconnect('p3')
  expect(listsWritten).not.toHaveBeenCalled()
})

it('[RM131,RM146] two hundred values of a long list are written once, and end in an ellipsis after 100,000 characters', () => {
  const components = [
    { ...ask, saveTo: 'n' },
    ...many(4, (index) => text(`t${index}`, '{{a}}{{n}}'.repeat(25))),
  ]
  const room = playRoom({
    states: [state('s', { components }), state('after')],
    variables: { n: 0, a: { initial: many(1_000, (index) => index + 0.5) } },
  })
  const listsWritten = vi.spyOn(Intl.ListFormat.prototype, 'format')
  room.respond('p1', 'ask', 7)
  expect(listsWritten.mock.calls.length).toBeLessThanOrEqual(2)
  const shown = JSON.stringify(room.snapshot('p1').state?.components)
  expect(shown.length).toBeLessThan(130_000)
  expect(shown).toContain('…7')
  expect(shown).toMatch(/…7…7…7/)
})

it('[RM146] participants whose page does not fit into an action keep it until a later one brings the new one', () => {
  const long = many(10, (index) => text(`x${index}`, 'x'.repeat(18_000)))
  const room = playRoom(
    group(
      [
        state('s', { components: [{ ...ask, saveTo: 'pot' }, text('t', 'Pot: {{pot}}'), ...long] }),
        state('after'),
      ],
      {
        variables: { pot: 0 },
        matching: { groupSize: 20 },
      },
    ),
  )
  const toldOf = (pot: number) =>
    people(20).filter((one) => JSON.stringify(pagesTold(room.heard(one)).at(-1)).includes(`Pot: ${pot}`))
  room.respond('p1', 'ask', 7)
  const first = toldOf(7).length
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(20)
  for (let action = 0; toldOf(7).length < 20 && action < 20; action++) room.dispatch({ type: 'tick' })
  expect(toldOf(7)).toHaveLength(20)
  const { seq } = room.room()
  room.dispatch({ type: 'tick' })
  expect(room.room().seq).toBe(seq)
})

it('[RM146] texts that cost too much are ellipses, and the room goes on', () => {
  const heavy = many(50, (index) => `{{count(sort(unique(a))) + ${index} + given}}`).join(' ')
  const room = playRoom(
    group([state('s', { components: [ask, text('t', heavy)] }), state('after')], {
      variables: { given: own, a: { initial: many(5_000, String) } },
      matching: { groupSize: 20 },
    }),
  )
  room.respond('p1', 'ask', 7)
  expect(room.room().status.kind).toBe('running')
  expect(JSON.stringify(room.snapshot('p1').state)).toContain('…')
})
