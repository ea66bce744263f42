import {
  type ExperimentDefinition,
  experimentRoutes,
  matchingRoutes,
  participantRoutes,
  roomRoutes,
} from '@atrium/contract'
import {
  type ApiResponse,
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  isLongRun,
  openRoomSocket,
  openSyncSocket,
  smallestDefinition,
  succeeded,
} from '@atrium/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seeded } from '../seed.ts'
import {
  heavyDefinitions,
  heavyTexts,
  instantLoop,
  manyComponents,
  manyNames,
  manyStops,
  unknownTypes,
} from './heavy-definitions.ts'
import { startWatchedServer, type WatchedServer } from './watched-server.ts'

/**
 * The longest permitted turn, as a multiple of the time to parse and serialize the largest body: about 100 ms in total on
 * the machine where this was written. In CPU time of the main thread, so that a busy machine does not matter (R41).
 */
const maxUnits = 15

/** Set FUZZ_RUNS for a longer run. */
const runs = Number(process.env.FUZZ_RUNS ?? (isLongRun ? 40 : 12))

describe('[R40] no single request, message or room action blocks the server', () => {
  let watched: WatchedServer
  let startUnits = 0
  let researcher: Awaited<ReturnType<typeof createResearcher>>
  const api = createApi(() => watched.server.http)

  beforeAll(async () => {
    watched = await startWatchedServer()
    startUnits = await watched.longestTurn()
    researcher = await createResearcher(api)
    // Warm up: one-time loading and compiling must not be measured.
    const experimentId = await researcher.openExperiment()
    await enterRoom(experimentId, async (room) => void (await room.act('ready')))
    await dryRun(experimentId, { groupSize: 2 })
    await watched.longestTurn()
  })
  afterAll(() => watched?.stop())

  const save = (body: unknown): Promise<ApiResponse<unknown>> =>
    api.call(experimentRoutes.create, { token: researcher.token, body })
  const dryRun = (experimentId: string, matching: object, people = 2_000): Promise<ApiResponse<unknown>> =>
    api.call(matchingRoutes.dryRun, {
      token: researcher.token,
      params: { experimentId },
      body: { arrivals: { people, pattern: 'all_at_once' }, matching },
    })

  async function enterRoom(
    experimentId: string,
    act: (room: Awaited<ReturnType<typeof openRoomSocket>>) => Promise<void>,
  ): Promise<void> {
    const session = await (await createPerson(api)).join(experimentId)
    const room = await openRoomSocket(watched.server.http, session)
    await act(room)
    room.close()
  }

  const roomsOf = async (experimentId: string) =>
    succeeded(await api.call(roomRoutes.list, { token: researcher.token, params: { experimentId } })).rooms

  const expectShortTurns = async (): Promise<void> =>
    expect(await watched.longestTurn()).toBeLessThan(maxUnits)

  test.each([1_000_000, 10_000_000])('[R60] a dry run with groups of %i is refused', async (groupSize) => {
    const experimentId = await researcher.openExperiment()
    for (const matching of [
      { groupSize },
      { groupSize: { min: 1, max: groupSize } },
      { groupSize, deadlineMs: 1, onDeadline: 'start_short' },
    ])
      expect(codeOf(await dryRun(experimentId, matching))).toBe('VALIDATION_FAILED')
    await expectShortTurns()
  })

  test('[M21] the largest dry run does not block the event loop', async () => {
    const experimentId = await researcher.openExperiment()
    const matching = { groupSize: 1_000, deadlineMs: 1, onDeadline: 'start_short' }
    expect((await dryRun(experimentId, matching, 20_000)).status).toBe(200)
    await expectShortTurns()
  })

  test('[F9] of ten thousand unknown names, only the first get suggestions', async () => {
    const answer = await save(manyNames(10_000, 1_000))
    expect(codeOf(answer)).toBe('VALIDATION_FAILED')
    const { issues } = refusalDetails(answer)
    expect(issues.filter(({ message }) => message.includes('did you mean'))).toHaveLength(20)
    await expectShortTurns()
  })

  test('[R60] 900 KB of unknown component types', async () => {
    expect(codeOf(await save(unknownTypes(900_000)))).toBe('VALIDATION_FAILED')
    expect((await save(unknownTypes(400_000))).status).toBe(201)
    await expectShortTurns()
  })

  test.each([
    ['', '{{', ' '.repeat(1_980)],
    ['', '{{ '.repeat(640), ''],
    ['{{code}}', '{{', 'a'.repeat(1_900)],
  ])('[R20] a redirect template that is expensive to parse (%#)', async (before, open, after) => {
    const redirectUrl = `https://a.org/${before}${open}${after}`
    const experimentId = await researcher.openExperiment(smallestDefinition({ completion: { redirectUrl } }))
    const { sessionId } = await (await createPerson(api)).join(experimentId)
    const body = { completionCode: 'SUCCESS' }
    const answer = await api.call(participantRoutes.completeV4, { session: { sessionId }, body })
    expect(answer.status).toBe(200)
    await expectShortTurns()
  })

  test.each(Object.entries(heavyDefinitions))('[RM62] a room with %s ends', async (_name, definition) => {
    const experimentId = await researcher.openExperiment(definition)
    await enterRoom(experimentId, async (room) => {
      // If computing the variables is already too much, the room has ended before this.
      if (room.snapshot().status === 'running') {
        expect(await room.act('ready')).toMatchObject({ ok: true })
        expect(await room.event('finished')).toMatchObject({ outcome: 'TECHNICAL' })
      }
      const [ended] = await roomsOf(experimentId)
      expect(ended).toMatchObject({ status: 'ended', endReason: 'too_much_work' })
    })
    await expectShortTurns()
  })

  test.each(Object.entries(heavyTexts))('[RM146] a page with %s', async (_name, definition) => {
    const experimentId = await researcher.openExperiment(definition)
    await enterRoom(experimentId, async (room) => {
      const answer = { componentId: 'slider', value: 7 }
      expect(await room.act('submit_response', answer)).toMatchObject({ ok: true })
    })
    await expectShortTurns()
  })

  test('[RM146,RM147] a group of 50, all of whom answer at once, with ten lists of what the others gave', async () => {
    const experimentId = await researcher.openExperiment({
      name: 'Gifts',
      variables: { given: { scope: 'participant', initial: 0 } },
      states: [
        {
          id: 's',
          instructions: Array.from({ length: 10 }, () => '{{others.given}}').join(' '),
          components: [{ id: 'gift', type: 'slider', saveTo: 'given', required: false }],
        },
      ],
      matching: { groupSize: 50 },
    })
    const joined = await Promise.all(
      Array.from({ length: 50 }, async () => (await createPerson(api)).join(experimentId)),
    )
    const body = { participantIds: joined.map(({ participantId }) => participantId) }
    const options = { token: researcher.token, params: { experimentId }, body }
    const { roomId } = succeeded(await api.call(roomRoutes.create, options))
    const rooms = await Promise.all(
      joined.map((session) => openRoomSocket(watched.server.http, { ...session, roomId })),
    )
    await watched.longestTurn()
    const answers = await Promise.all(
      rooms.map((room, at) => room.act('submit_response', { componentId: 'gift', value: 50 + at })),
    )
    expect(answers.every(({ ok }) => ok)).toBe(true)
    // The newest texts arrive: everyone sees what everyone else gave.
    await rooms[0]?.event('texts', ({ state }) =>
      Array.from({ length: 49 }, (_, at) => 51 + at).every((given) =>
        state?.instructions?.includes(`${given}`),
      ),
    )
    await expectShortTurns()
    for (const room of rooms) room.close()
  })

  test('[RM105] twenty videos in step, with as many stops as a definition can hold', async () => {
    const experimentId = await researcher.openExperiment(manyStops())
    const session = await (await createPerson(api)).join(experimentId, { role: 'viewer' })
    const room = await openRoomSocket(watched.server.http, session)
    const sync = await openSyncSocket(watched.server.http, session)
    for (let video = 0; video < 20; video++) {
      const about = { componentId: `video${video}` }
      expect(await sync.act('playback_buffer', { ...about, status: 'ready' })).toMatchObject({ ok: true })
      const command = { ...about, command: 'play', positionMs: 0.5, rate: 4 }
      expect(await sync.act('playback_command', command)).toMatchObject({ ok: true })
      expect(await sync.act('sync_report', { ...about, driftMs: 1, rttMs: 1 })).toMatchObject({ ok: true })
    }
    sync.close()
    room.close()
    await expectShortTurns()
  })

  test.each(Object.entries(listQuestions))(
    '[R40] a long list as the response to %s',
    async (_type, component) => {
      const states = [{ id: 's', components: [{ id: 'q', ...component }] }]
      const experimentId = await researcher.openExperiment({ name: 'Lists', states })
      await enterRoom(experimentId, async (room) => {
        for (const item of [0, 'a', null, []]) {
          const value = Array.from({ length: Math.floor(90_000 / JSON.stringify([item]).length) }, () => item)
          for (const response of [value, { row: value }, { answers: { q: value } }]) {
            const answer = await room.act('submit_response', { componentId: 'q', value: response })
            expect(answer).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } })
          }
        }
      })
      await expectShortTurns()
    },
  )

  test.each([
    ['half a million events', { events: Array.from({ length: 500_000 }, () => 0) }],
    ['300,000 empty events', { events: Array.from({ length: 300_000 }, () => ({})) }],
    [
      'an event with 70,000 properties in its data',
      { events: [{ type: 'x', timestamp: 1, data: wide(70_000) }] },
    ],
    [
      'an event with 70,000 undocumented properties',
      { events: [{ type: 'x', timestamp: 1, ...wide(70_000) }] },
    ],
  ])('[R40] a participant who sends %s is refused', async (_name, body) => {
    const { sessionId } = await (await createPerson(api)).join(await researcher.openExperiment())
    const answer = await api.call(participantRoutes.eventsV4, { session: { sessionId }, body: body as never })
    expect(codeOf(answer)).toBe('VALIDATION_FAILED')
    await expectShortTurns()
  })

  test('[R40] a room with the same participant two hundred thousand times is refused', async () => {
    const params = { experimentId: await researcher.openExperiment() }
    const body = { participantIds: Array.from({ length: 200_000 }, () => 'x') }
    const answer = await api.call(roomRoutes.create, { token: researcher.token, params, body })
    expect(answer.text).toContain('must have at most 1000 items')
    await expectShortTurns()
  })

  test('[F27] a loop that never settles is refused', async () => {
    const answer = await save(instantLoop())
    expect(codeOf(answer)).toBe('VALIDATION_FAILED')
    expect(answer.text).toContain('end as soon as they are entered')
  })

  test('[R60] an experiment with the largest number of components can be saved, joined and played', async () => {
    const experimentId = await researcher.openExperiment(manyComponents(10_000))
    await enterRoom(experimentId, async (room) => {
      const response = { componentId: 'c0', value: 50 }
      expect(await room.act('submit_response', response)).toMatchObject({ ok: true })
    })
    await expectShortTurns()
  })

  test('[RM62] rooms that ended for too much work do not block a restart', async () => {
    await watched.server.kill()
    await watched.server.restart()
    // Loading the program is a long turn too, but nobody is connected yet. Its units are those of another process.
    expect(await watched.longestTurn()).toBeLessThan(2 * startUnits + maxUnits)
  })

  test('random large bodies on every route that takes one', async () => {
    const experimentId = await researcher.openExperiment()
    const { token } = researcher
    const params = { experimentId }
    await fc.assert(
      fc.asyncProperty(largeBodies, async (body) => {
        await save({ name: 'x', states: [{ id: 's', components: [] }], ...body })
        await api.call(experimentRoutes.revise, { token, params, body })
        await api.call(matchingRoutes.dryRun, { token, params, body: { arrivals: { people: 5 }, ...body } })
        await expectShortTurns()
      }),
      { ...seeded, numRuns: runs, endOnFailure: true },
    )
  })
})

const options = ['a', 'b', 'c']
/** Every component type whose responses contain lists of distinct items. */
const listQuestions = {
  ranking: { type: 'ranking', items: options },
  'multiple choice': { type: 'multiple_choice', options, multiple: true },
  'a matrix': { type: 'matrix', rows: ['row'], columns: options, multiple: true },
  'a check': {
    type: 'instructions',
    questions: [{ id: 'q', label: 'Which?', options, multiple: true, correct: ['a'] }],
  },
}

const wide = (properties: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: properties }, (_, at) => [`p${at}`, 0]))

const refusalDetails = ({ text }: ApiResponse<unknown>): { issues: { path: string; message: string }[] } =>
  JSON.parse(text).details

/** Up to 900 KB under one of the properties of a definition. */
const largeBodies = fc
  .record({
    field: fc.constantFrom(
      ...(['states', 'variables', 'roles', 'blocks', 'globalComponents', 'conditions', 'matching'] as const),
      ...(['completion', 'metadata', 'name', 'description', 'capacity', 'unknown', 'arrivals'] as const),
    ),
    part: fc.oneof(
      fc.constantFrom<unknown>(0, '', 'a', null, {}, [], '{{', '\u{1f600}', 1e308, true),
      fc.constantFrom<unknown>({ id: 'a', components: [] }, { id: 'a', type: 'slider' }, { min: 1 }),
      fc.jsonValue({ maxDepth: 3 }),
    ),
    shape: fc.constantFrom('list', 'names', 'text', 'nested', 'states'),
    size: fc.integer({ min: 1_000, max: 900_000 }),
  })
  .map(
    ({ field, part, shape, size }) =>
      ({ [field]: grown(part, shape, size) }) as Partial<ExperimentDefinition>,
  )

function grown(part: unknown, shape: string, size: number): unknown {
  const each = JSON.stringify(part).length + 1
  const count = Math.max(1, Math.floor(size / each))
  switch (shape) {
    case 'list':
      return Array.from({ length: count }, () => part)
    case 'names':
      return Object.fromEntries(
        Array.from({ length: Math.floor(size / (each + 12)) }, (_, at) => [`n${at}`, part]),
      )
    case 'text':
      return 'a{{ '.repeat(size / 4)
    case 'nested':
      return JSON.parse(`${'['.repeat(200)}${JSON.stringify('a'.repeat(size))}${']'.repeat(200)}`)
    default:
      return Array.from({ length: Math.min(count, 1_000) }, (_, at) => ({ id: `s${at}`, components: [part] }))
  }
}
