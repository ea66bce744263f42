import type { ExperimentDefinition } from '@atrium/contract'
import { describeInBothModes, type RoomSocket } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { tableReader } from '../paradigms/play-paradigm.ts'
import { acknowledged, tableIn } from './table.ts'

/** A line of four people, who may part and be joined after the first page. */
const line: ExperimentDefinition = {
  name: 'A line of four',
  matching: { groupSize: 4 },
  network: {
    kind: 'edges',
    edges: [
      [1, 2],
      [2, 3],
      [3, 4],
    ],
  },
  variables: { given: { scope: 'participant', initial: 0 } },
  states: [
    {
      id: 'meet',
      components: [
        { id: 'talk', type: 'chat', ...{ audience: 'neighbours' } },
        { id: 'amount', type: 'slider', saveTo: 'given', required: false },
        { id: 'pick', type: 'text_input', required: false },
      ],
      rewire: { cut: 'given > 50 ? neighbours.alias : null', join: 'response.pick' },
    },
    {
      id: 'after',
      components: [{ id: 'seen', type: 'text', ...{ text: 'Around you: {{neighbours.alias}}.' } }],
    },
  ],
}

const aliases = (socket: RoomSocket) => socket.snapshot().others.map(({ alias }) => alias)

describeInBothModes(
  'A room with a network',
  (world) => {
    const table = tableIn(world)

    test('[R72,RM248,RM249,RM251,D49,RM257] shows, tells and records neighbours alone, also after the server was killed', async () => {
      const experimentId = await table.open(line)
      const { sessions, roomId } = await table.seat(experimentId, 4)
      const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
      const [p1, p2, p3, p4] = sockets
      if (!p1 || !p2 || !p3 || !p4) throw new Error('four people were seated')
      expect(sockets.map(aliases)).toEqual([['P2'], ['P1', 'P3'], ['P2', 'P4'], ['P3']])
      await acknowledged(p1.act('send_message', { componentId: 'talk', text: 'CANARY-ONE' }))
      await p2.event('message', ({ message }) => message.text === 'CANARY-ONE')
      await acknowledged(p2.act('submit_response', { componentId: 'amount', value: 80 }))
      await acknowledged(p4.act('submit_response', { componentId: 'pick', value: 'P1' }))

      await table.server().kill()
      await table.server().restart()
      const back = await Promise.all(sessions.map((session) => table.connect(session)))
      expect(back.map(aliases)).toEqual([['P2'], ['P1', 'P3'], ['P2', 'P4'], ['P3']])
      for (const socket of back) await acknowledged(socket.act('ready'))
      for (const socket of back) await socket.event('state_entered', ({ state }) => state.id === 'after')

      // P2 has parted from both neighbours, and P4 was joined with P1.
      const seats = await table.seats(roomId)
      expect(seats.map(({ alias, neighbours }) => [alias, neighbours])).toEqual([
        ['P1', ['P4']],
        ['P2', []],
        ['P3', ['P4']],
        ['P4', ['P1', 'P3']],
      ])
      const [q1] = back
      const entered = q1?.events.findLast(({ type }) => type === 'state_entered')
      expect(JSON.stringify(entered)).toContain('Around you: P4.')
      for (const far of [p3, p4, back[2], back[3]])
        expect(JSON.stringify(far?.received)).not.toContain('CANARY-ONE')
      expect(JSON.stringify(p4.received)).not.toMatch(/"P1"|"P2"/)

      const { token } = await table.researcher()
      const edges = await tableReader(world(), token, experimentId)('edges')
      const idOf = new Map(seats.map(({ alias, participantId }) => [alias, participantId]))
      expect(
        edges
          .map((edge) => [edge.alias, edge.neighbourAlias, edge.fromVisit, edge.untilVisit])
          .toSorted((a, b) => String(a).localeCompare(String(b))),
      ).toEqual([
        ['P1', 'P2', null, 1],
        ['P1', 'P4', 1, null],
        ['P2', 'P3', null, 1],
        ['P3', 'P4', null, null],
      ])
      for (const edge of edges) expect(edge.neighbourId).toBe(idOf.get(edge.neighbourAlias))
    })
  },
  { servers: 1 },
)
