import { RoomEvent, RoomSnapshot } from '@atrium/contract'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { heardOf } from '../test/hearing.ts'
import { component, group, playRoom, slider, state } from '../test/played-room.ts'
import { toldInCrowd } from './crowd.ts'

const chat = component('chat', 'chat')
const lecture = (groupSize: number, more: object = {}) =>
  group([state('ask', { components: [slider, chat] }), state('after')], {
    matching: { groupSize },
    dropout: { policy: 'continue', graceMs: 1_000 },
    ...more,
  })

/** What the sockets of a room carry. */
const toldTo = (room: ReturnType<typeof playRoom>, participantId: string) =>
  room.steps.flatMap((step) =>
    heardOf(toldInCrowd(step.after, step.emitted), step, participantId).map((event) => ({ event, step })),
  )

test('[RM260] fifty people see each of the others; with one more, everybody sees figures alone', () => {
  const listed = playRoom(lecture(50)).snapshot('p1')
  expect(listed.others).toHaveLength(49)
  expect(listed).not.toHaveProperty('crowd')
  const crowded = playRoom(lecture(51)).snapshot('p1')
  expect(crowded.others).toEqual([])
  expect(crowded.crowd).toEqual({
    ...{ members: 51, away: 0, dropped: 0, gone: 0, ready: 0, agents: 0 },
    roles: { participant: 51 },
  })
  expect(Compile(RoomSnapshot).Errors(crowded)).toEqual([])
})

test('[RM260] the figures say who is ready, away, given up and gone', () => {
  const room = playRoom(lecture(60), {
    roles: Array.from({ length: 60 }, (_, index) => (index < 10 ? 'seller' : 'buyer')),
  })
  for (const person of ['p1', 'p2', 'p3']) {
    room.respond(person, 'rate', 5)
    room.ready(person)
  }
  room.disconnect('p4')
  room.pass(2_000)
  room.disconnect('p5')
  room.leave('p6')
  expect(room.snapshot('p7').crowd).toEqual({
    ...{ members: 58, away: 1, dropped: 1, gone: 1, ready: 3, agents: 0 },
    roles: { seller: 8, buyer: 50 },
  })
})

test('[RM260] a seat that an agent takes over does not make a room of fifty a large one', () => {
  const room = playRoom(
    lecture(50, {
      dropout: { policy: 'replace_with_agent', graceMs: 1_000 },
      agents: [{ id: 'bot', name: 'Bo', provider: 'Scripted', replaces: true, instructions: 'Play.' }],
    }),
  )
  room.leave('p2')
  expect(room.room().seats.length).toBeGreaterThan(50)
  expect(room.snapshot('p1')).not.toHaveProperty('crowd')
})

test('[RM261] in a large room, what one person does is told to that person alone, and messages to everyone', () => {
  const room = playRoom(lecture(60))
  const before = room.steps.length
  room.respond('p1', 'rate', 5)
  room.say('p1', 'hello')
  room.ready('p1')
  room.disconnect('p2')
  room.connect('p2')
  const since = (person: string) =>
    toldTo(room, person).flatMap(({ event, step }) => (room.steps.indexOf(step) < before ? [] : [event.type]))
  expect(since('p1')).toEqual(['response_recorded', 'message', 'ready'])
  expect(since('p3')).toEqual(['message'])
})

test('[RM261] two hundred people who come in, answer and go on are told a few things each, not of each other', () => {
  const people = 200
  const room = playRoom(lecture(people))
  for (let index = 1; index <= people; index++) {
    room.respond(`p${index}`, 'rate', index % 100)
    room.ready(`p${index}`)
  }
  expect(room.at('p1')).toBe('after')
  const told = toldTo(room, 'p150')
  expect(told.length).toBeLessThan(10)
  for (const { event } of told) expect(Compile(RoomEvent).Errors(event)).toEqual([])
  // The numbers are those that the rules gave, so that logs from before are read as they were written.
  expect(room.heard('p150').length).toBeGreaterThan(3 * people)
})

test('[RM261] whoever gets another role is told of their own', () => {
  const room = playRoom(lecture(60))
  const step = room.steps.at(-1)
  if (!step) throw new Error('nothing has happened')
  const roles = { type: 'roles', roles: { P1: 'giver', P2: 'taker' }, names: {}, seq: 1, at: 1 } as const
  const emitted = toldInCrowd(step.after, [{ audience: { kind: 'room' }, event: roles }])
  expect(emitted).toEqual([
    {
      audience: { kind: 'participants', participantIds: ['p1'] },
      event: { ...roles, roles: { P1: 'giver' } },
    },
    {
      audience: { kind: 'participants', participantIds: ['p2'] },
      event: { ...roles, roles: { P2: 'taker' } },
    },
  ])
})

test('[RM261] a message that only some may read is written once for all of them', () => {
  const hidden = component('hidden', 'chat', { roles: ['seller'] })
  const room = playRoom(
    group([state('ask', { components: [hidden] })], {
      matching: { groupSize: 60 },
      roles: ['seller', 'buyer'],
    }),
    { roles: Array.from({ length: 60 }, (_, index) => (index < 40 ? 'seller' : 'buyer')) },
  )
  room.say('p1', 'between us')
  const step = room.steps.at(-1)
  const messages = step ? toldInCrowd(step.after, step.emitted) : []
  expect(messages.map(({ event }) => event.type)).toEqual(['message'])
  expect(messages[0]?.audience).toMatchObject({ participantIds: { length: 40 } })
  expect(room.snapshot('p50').messages).toEqual([])
})

test('[RM266] a room in which five hundred send the longest message there is keeps what it can carry', () => {
  const room = playRoom(lecture(500))
  const longest = '字'.repeat(4_000)
  for (let index = 1; index <= 500; index++) expect(room.say(`p${index}`, longest)).toBeTypeOf('number')
  expect(room.room().messages).toHaveLength(200)
  expect(Buffer.byteLength(JSON.stringify(room.snapshot('p7')))).toBeLessThan(150_000)
  expect(JSON.stringify(room.room()).length).toBeLessThan(2_000_000)
})

test('[RM264] everyone in a room of five hundred reads the mean of the others, in every one of ten values', () => {
  const texts = Array.from({ length: 10 }, () => '{{round(mean(others.guess), 2)}}').join(' ')
  const room = playRoom(
    group(
      [
        state('guess', {
          components: [{ ...slider, saveTo: 'guess' }],
          end: { on: 'all_responded' },
        }),
        state('see', { instructions: `${texts} of {{count(others.guess)}}` }),
      ],
      { matching: { groupSize: 500 }, variables: { guess: { scope: 'participant', initial: 0 } } },
    ),
  )
  for (let index = 1; index <= 500; index++) room.respond(`p${index}`, 'rate', index % 100)
  const total = 5 * 4_950
  for (const index of [1, 250, 499]) {
    const mean = Math.round(((total - (index % 100)) / 499) * 100) / 100
    const shown = room.snapshot(`p${index}`).state?.instructions
    // Markdown takes what stands between backslashes literally.
    expect(shown?.replaceAll('\\', '')).toBe(`${Array(10).fill(String(mean)).join(' ')} of 499`)
    const entered = room.heard(`p${index}`).findLast(({ type }) => type === 'state_entered')
    expect(entered).toMatchObject({ state: { instructions: shown } })
  }
})
