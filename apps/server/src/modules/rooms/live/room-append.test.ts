import { describe, expect, it } from 'vitest'
import { noQuota } from '../../../../test/no-quota.ts'
import { chat, mediatorId, persona, playAgents, withAgent } from '../test/agent-room.ts'
import { appendOf } from './room-append.ts'

/** What each action of a played room would append. */
function appendsOf({ steps, blueprint }: ReturnType<typeof playAgents>) {
  return steps.map(({ action, at, before, after, emitted, played }, index) =>
    appendOf({
      action,
      at,
      before,
      text: JSON.stringify(action),
      epoch: 1,
      quota: noQuota,
      seq: index + 1,
      definition: blueprint.definition,
      reduction: { kind: 'applied', room: after, emitted, played, records: [] },
    }),
  )
}

describe('What an action appends about people', () => {
  const play = (balance: 'opened' | 'completed') => {
    const dropout = { policy: 'wait' as const, graceMs: 1_000 }
    const agents = [persona({ seats: 1 })]
    const room = playAgents(
      withAgent({}, [chat], { agents, dropout, conditions: { values: ['x', 'y'], balance } }),
    )
    room.disconnect('p2')
    room.pass(2_000)
    room.connect('p2')
    return appendsOf(room).flatMap(({ absences }) => (absences ? [absences] : []))
  }

  it('[S47] whom the room drops and whom it waits for again, where those are balanced who may still complete', () => {
    expect(play('opened')).toEqual([])
    expect(play('completed')).toEqual([
      [{ participantId: 'p2', isDropped: true }],
      [{ participantId: 'p2', isDropped: false }],
    ])
  })
})

describe('What an action appends about agents', () => {
  const play = () => {
    const agents = [
      persona({ seats: 1, replaces: true }),
      persona({ id: 'guide', name: 'Guide', mediates: ['talk'] }),
    ]
    const dropout = { policy: 'replace_with_agent' as const, graceMs: 1_000 }
    const room = playAgents(withAgent({}, [chat], { agents, dropout, matching: { groupSize: 3 } }))
    room.leave('p3')
    room.dispatch({ type: 'end', reason: 'over', by: 'researcher' })
    return appendsOf(room)
  }

  it('[RM130] each agent is seated once, with the action that brought it', () => {
    const seated = play().flatMap((one) =>
      one.seated ? [one.seated.map(({ alias, role }) => [alias, role])] : [],
    )
    expect(seated).toEqual([
      [
        ['P4', 'participant'],
        ['Guide', null],
      ],
      [['P5', 'participant']],
    ])
    expect(play()[0]?.seated?.at(-1)).toMatchObject({ participantId: mediatorId, agentId: 'guide' })
  })

  it('[R52,RM130] outcomes are decided for people alone', () => {
    const decided = play().flatMap(({ decisions }) => decisions.map(({ participantId }) => participantId))
    expect(decided).toEqual(['p3', 'p1', 'p2'])
  })
})
