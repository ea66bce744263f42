import type { ExperimentDefinition, RoomSnapshot } from '@atrium/contract'
import { describeInOneMode, type RoomSocket, waitUntil } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { tableIn } from './table.ts'

const people = 200
const joinedAtOnce = 20
/** As long as a message may be, in letters that take three bytes each. */
const longest = '字'.repeat(4_000)

const study: ExperimentDefinition = {
  name: 'A lecture hall',
  states: [
    {
      id: 'guess',
      components: [
        { id: 'guess', type: 'slider', saveTo: 'guess' },
        { id: 'chat', type: 'chat' },
      ],
      end: { on: 'all_responded', afterMs: 600_000 },
    },
    {
      id: 'results',
      instructions: 'The other {{count(others.guess)}} guessed {{mean(others.guess) | 0.00}}.',
      components: [],
    },
  ],
  variables: { guess: { scope: 'participant', initial: 0 } },
  matching: { groupSize: people },
  dropout: { policy: 'wait', graceMs: 600_000 },
}

describeInOneMode('[R73] A room of two hundred', (world) => {
  const table = tableIn(world)

  async function seatEveryone(): Promise<RoomSocket[]> {
    const experimentId = await table.open(study)
    const joined: Awaited<ReturnType<typeof table.join>>[] = []
    while (joined.length < people)
      joined.push(
        ...(await Promise.all(Array.from({ length: joinedAtOnce }, () => table.join(experimentId)))),
      )
    const ids = joined.map(({ participantId }) => participantId)
    const roomId = await table.seatByHand(experimentId, ids)
    const sockets: RoomSocket[] = []
    onTestFinished(() => {
      for (const socket of sockets) socket.close()
    })
    for (const session of joined) sockets.push(await table.connect({ ...session, roomId }))
    return sockets
  }

  const crowdOf = (socket: RoomSocket): RoomSnapshot['crowd'] =>
    socket.events.findLast((event) => event.type === 'crowd')?.crowd ?? socket.snapshot().crowd

  it('[RM260] [RM261] [RM262] [RM264] comes in, answers on one clock and reads the mean of the others', async () => {
    const sockets = await seatEveryone()
    const [first, second] = sockets
    if (!first || !second) throw new Error('nobody is here')
    expect(first.snapshot().others).toEqual([])
    await waitUntil(() => crowdOf(first)?.away === 0 || `${crowdOf(first)?.away} are away`)
    expect(crowdOf(first)).toMatchObject({ members: people, roles: { participant: people } })
    const deadlines = new Set(sockets.map((socket) => socket.snapshot().state?.deadlineAt))
    expect(deadlines.size).toBe(1)

    const answers = sockets.map((socket, at) =>
      socket.act('submit_response', { componentId: 'guess', value: at % 100 }),
    )
    for (const answer of await Promise.all(answers)) expect(answer.ok).toBe(true)
    const entered = await first.event('state_entered', ({ state }) => state.id === 'results')
    // The first person said 0, and everybody together 2 × (0 + … + 99).
    expect(entered.state.instructions?.replaceAll('\\', '')).toBe(
      `The other 199 guessed ${(9_900 / 199).toFixed(2)}.`,
    )
    const told = second.events.filter(({ type }) => type !== 'crowd').map(({ type }) => type)
    expect(told.length).toBeLessThan(10)
    expect(told).not.toContain('presence')
  })

  it('[RM266] carries the longest messages there are to everybody', async () => {
    const sockets = await seatEveryone()
    const senders = sockets.slice(0, 20)
    const acts = senders.map((socket) => socket.act('send_message', { text: longest }))
    for (const answer of await Promise.all(acts)) expect(answer.ok).toBe(true)
    const messagesOf = (socket: RoomSocket): number =>
      socket.events.filter(({ type }) => type === 'message').length
    await waitUntil(
      () =>
        sockets.every((socket) => messagesOf(socket) === senders.length) ||
        'somebody has not read everything',
      { timeoutMs: 60_000 },
    )
    const answer = await sockets[0]?.act('submit_response', { componentId: 'guess', value: 1 })
    expect(answer?.ok).toBe(true)
  })
})
