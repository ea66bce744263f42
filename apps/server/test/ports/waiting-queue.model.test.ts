import { isLongRun } from '@atrium/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Group, WaitingPerson } from '../../src/ports/waiting-queue.ts'
import { describeBothAdapters } from './both-adapters.ts'
import { experimentId, group, lease, person, type WaitingWorld, waitingWorlds } from './waiting-world.ts'

/** A simple model of the queue: a list, and the groups taken from it. */
interface Model {
  queue: { person: WaitingPerson; presentUntil: number }[]
  claimed: Map<string, { group: Group; people: WaitingPerson[] }>
  /** Claimed and settled: they have their room permanently. */
  settled: Set<string>
  rooms: number
  now: number
}

const limits = { ...lease, maxRooms: 3, maxParticipants: 7 }
const presenceMs = 50

type Step =
  | { do: 'keep'; who: number[] }
  | { do: 'leave'; who: number[] }
  /** Mostly people who are present, because hardly any random group could be claimed. */
  | { do: 'claim'; who: number[]; arePresent: boolean }
  | { do: 'settle' | 'release'; which: number; stillWaiting: boolean[] }
  | { do: 'pass'; ms: number }

const anyone = fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 4 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('keep' as const), who: anyone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), who: anyone }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      who: anyone,
      arePresent: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('settle' as const, 'release' as const),
      which: fc.nat(5),
      stillWaiting: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(2 * presenceMs) }) },
)

const nameOf = (index: number) => `p-${index}`
const isIn = ({ queue }: Model, id: string) => queue.some((one) => one.person.participantId === id)
const isClaimed = ({ claimed, settled }: Model, id: string) =>
  settled.has(id) ||
  [...claimed.values()].some(({ people }) => people.some(({ participantId }) => participantId === id))

/** Takes the step in both and compares the results. */
async function take(step: Step, model: Model, { waiting }: WaitingWorld): Promise<void> {
  switch (step.do) {
    case 'pass':
      model.now += step.ms
      return
    case 'keep':
      return await keep(step.who.map(nameOf), model, waiting)
    case 'leave': {
      const ids = step.who.map(nameOf)
      const expected = ids.filter((id) => isIn(model, id))
      model.queue = model.queue.filter((one) => !ids.includes(one.person.participantId))
      expect(await waiting.leave(experimentId, ids)).toEqual(expected)
      return
    }
    case 'claim':
      return await claim(
        step.arePresent ? somePresent(step.who, model) : step.who.map(nameOf),
        model,
        waiting,
      )
    case 'settle':
    case 'release':
      return await end(step, model, waiting)
  }
}

function somePresent(who: number[], model: Model): string[] {
  const present = presentIn(model).map(({ participantId }) => participantId)
  const some = new Set(who.map((at) => present[at % present.length] ?? nameOf(at)))
  return [...some]
}

async function keep(ids: string[], model: Model, waiting: WaitingWorld['waiting']): Promise<void> {
  const presentUntil = model.now + presenceMs
  for (const id of ids) {
    if (isClaimed(model, id)) continue
    const known = model.queue.find((one) => one.person.participantId === id)
    if (known) known.presentUntil = presentUntil
    else model.queue.push({ person: person(id, model.now), presentUntil })
  }
  sort(model)
  const present = presentIn(model).map(({ participantId }) => participantId)
  const answer = await waiting.keep(
    experimentId,
    ids.map((id) => person(id, model.now)),
    presentUntil,
    model.now,
  )
  expect(answer.waiting).toBe(present.length)
  const positions = ids.map((id) => (present.includes(id) ? present.indexOf(id) + 1 : null))
  expect(answer.places.map(({ position }) => position)).toEqual(positions)
}

async function claim(ids: string[], model: Model, waiting: WaitingWorld['waiting']): Promise<void> {
  const wanted = group(`room-${model.rooms}`, ids)
  const answer = await waiting.claim(wanted, model.now, model.now + 1)
  const present = presentIn(model)
  const gone = ids.filter((id) => !present.some(({ participantId }) => participantId === id))
  const taken = [...model.claimed.values()]
  const participants = taken.reduce((total, { people }) => total + people.length, 0)
  const alone = taken.filter(({ people }) => people.length === 1).length
  // P16: of the rooms for one, a group counts as many as fill half of the places.
  const spared = (max: number) => (ids.length > 1 ? Math.max(0, alone - Math.floor(max / 2)) : 0)
  if (gone.length > 0) expect(answer).toEqual({ kind: 'people_gone', participantIds: gone })
  else if (
    taken.length - spared(limits.maxRooms) >= limits.maxRooms ||
    participants - spared(limits.maxParticipants) + ids.length > limits.maxParticipants
  )
    expect(answer).toEqual({ kind: 'pod_unfit' })
  else {
    expect(answer).toEqual({ kind: 'claimed' })
    model.rooms++
    const people = present.filter(({ participantId }) => ids.includes(participantId))
    model.claimed.set(wanted.roomId, { group: wanted, people })
    model.queue = model.queue.filter((one) => !ids.includes(one.person.participantId))
  }
}

async function end(
  step: Extract<Step, { do: 'settle' | 'release' }>,
  model: Model,
  waiting: WaitingWorld['waiting'],
): Promise<void> {
  const found = [...model.claimed.values()].at(step.which % Math.max(1, model.claimed.size))
  if (!found) return
  const { people } = found
  model.claimed.delete(found.group.roomId)
  if (step.do === 'settle') {
    for (const { participantId } of people) model.settled.add(participantId)
    return await waiting.settle(found.group)
  }
  const back = people.filter((_, at) => step.stillWaiting[at])
  const presentUntil = model.now + presenceMs
  model.queue.push(...back.map((one) => ({ person: one, presentUntil })))
  sort(model)
  const ids = back.map(({ participantId }) => participantId)
  await waiting.release(found.group, ids, presentUntil)
}

function sort({ queue }: Model): void {
  queue.sort(
    ({ person: one }, { person: other }) =>
      one.arrivedAt - other.arrivedAt || (one.participantId < other.participantId ? -1 : 1),
  )
}
const presentIn = ({ queue, now }: Model) =>
  queue.filter(({ presentUntil }) => presentUntil >= now).map((one) => one.person)

async function expectSame(model: Model, { waiting, pods, members }: WaitingWorld): Promise<void> {
  const queued = model.queue.map((one) => one.person.participantId)
  expect(await members(experimentId)).toEqual(queued.toSorted())
  expect(queued.filter((id) => isClaimed(model, id))).toEqual([])
  expect(await waiting.view(experimentId, model.now)).toEqual({
    people: presentIn(model),
    absent: model.queue
      .filter(({ presentUntil }) => presentUntil < model.now)
      .map((one) => one.person.participantId),
  })
  expect(await waiting.experiments()).toEqual(queued.length > 0 ? [experimentId] : [])
  const reserved = await waiting.reservedFor('pod-a')
  expect(reserved.map(({ roomId }) => roomId).sort()).toEqual([...model.claimed.keys()].sort())
  const taken = reserved.flatMap((one) => one.members.map(({ participantId }) => participantId))
  expect(new Set(taken).size).toBe(taken.length)
  const [pod] = await pods.list()
  expect(pod).toMatchObject({ rooms: reserved.length, participants: taken.length })
}

describeBothAdapters('waiting queue, against its model', waitingWorlds, (create) => {
  test('[W9] whatever happens, nobody is claimed twice or lost, and the waiting set matches the queue', async () => {
    const world = await create()
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
        await world.clear()
        await world.pods.renew('pod-a', limits, 600_000)
        const model: Model = {
          queue: [],
          claimed: new Map(),
          settled: new Set(),
          rooms: 0,
          now: 1_750_000_000_000,
        }
        for (const step of steps) {
          await take(step, model, world)
          await expectSame(model, world)
        }
      }),
      { numRuns: isLongRun ? 40 : 15 },
    )
  })
})
