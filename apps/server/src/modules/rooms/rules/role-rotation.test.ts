import type { ExperimentDefinition, State } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'
import { play, scenario } from '../test/random-room.ts'

const offer = component('offer', 'slider', { roles: ['giver'] })
const seen = component('seen', 'text', { text: 'You are {{role}}; they are {{others.role}}.' })

/** A giver and a taker play rounds, and both read a page afterwards. */
const game = (more: Partial<ExperimentDefinition> = {}, give: Partial<State> = {}) =>
  group(
    [
      state('before', { components: [seen] }),
      state('give', { components: [offer, seen], end: { on: 'all_responded' }, ...give }),
      state('take', { roles: ['taker'] }),
      state('after', { components: [seen] }),
    ],
    {
      roles: [{ id: 'giver', name: 'Giver' }, 'taker'],
      blocks: [{ id: 'game', states: ['give', 'take'], rounds: 3, rotateRoles: true }],
      ...more,
    },
  )

function begun(definition = game(), roles = ['giver', 'taker']) {
  const room = playRoom(definition, { roles })
  for (const { participantId } of room.room().seats) room.ready(participantId)
  return room
}

const rolesIn = (room: ReturnType<typeof begun>): string[] => room.room().seats.map(({ role }) => role)

describe('a block that rotates roles', () => {
  test('[RM215] begins with the roles as matched, changes them in each round, and gives them back at its end', () => {
    const room = begun()
    const played: unknown[] = []
    for (const [giver, taker] of [
      ['p1', 'p2'],
      ['p2', 'p1'],
      ['p1', 'p2'],
    ] as const) {
      played.push(rolesIn(room))
      expect(room.respond(taker, 'offer', 5)).toBe('ACTION_REFUSED')
      expect(room.respond(giver, 'offer', 5)).toEqual(expect.any(Number))
      expect(room.snapshot(giver).state?.components).toEqual([])
      room.ready(taker)
    }
    expect(played).toEqual([
      ['giver', 'taker'],
      ['taker', 'giver'],
      ['giver', 'taker'],
    ])
    expect(room.at()).toBe('after')
    expect(rolesIn(room)).toEqual(['giver', 'taker'])
    expect(playAgain(room)).toEqual(room.room())
  })

  test('[RM215] a transition back to a round of the block has the roles of that round again', () => {
    const back = game({}, { next: [{ to: 'before', when: 'round == 2', atMost: 1 }] })
    const room = begun(back)
    room.respond('p1', 'offer', 5)
    room.ready('p2')
    room.respond('p2', 'offer', 5)
    expect([room.at(), ...rolesIn(room)]).toEqual(['before', 'giver', 'taker'])
  })

  test('[RM216] tells everyone their role and those of the others, before the state begins', () => {
    const room = begun()
    room.respond('p1', 'offer', 5)
    room.ready('p2')
    const told = room.heard('p1').filter(({ type }) => type === 'roles' || type === 'state_entered')
    expect(told.at(-2)).toMatchObject({
      type: 'roles',
      roles: { P1: 'taker', P2: 'giver' },
      names: { giver: 'Giver' },
    })
    expect(JSON.stringify(told.at(-1))).toContain('You are taker; they are giver.')
    const { self, others } = room.snapshot('p1')
    expect([self.role, others[0]?.role, others[0]?.roleName]).toEqual(['taker', 'giver', 'Giver'])
    expect(room.snapshot('p2').state?.components.map(({ id }) => id)).toEqual(['offer', 'seen'])
  })

  test('[RM216] whoever has left keeps their turn, and nobody waits for the role that is theirs then', () => {
    const definition = game({ matching: { groupSize: 3 }, dropout: { policy: 'continue' } })
    const room = begun(definition, ['giver', 'taker', 'taker'])
    room.leave('p3')
    room.respond('p1', 'offer', 5)
    room.ready('p2')
    // In the second round the person who left would give, as the third of the takers' ring.
    expect(rolesIn(room)).toEqual(['taker', 'taker', 'taker'])
    expect(room.at()).not.toBeNull()
    expect(room.room().status.kind).toBe('running')
  })

  test('[RM217] is recorded: each new role, and the role in which somebody saw, answered and wrote', () => {
    const room = begun()
    room.respond('p1', 'offer', 5)
    room.ready('p2')
    room.respond('p2', 'offer', 7)
    const rolesOf = (who: string, type: string) => room.recordsOf(who, type).map(({ data }) => data.role)
    expect(rolesOf('p1', 'role_assigned')).toEqual(['giver', 'taker'])
    expect(rolesOf('p2', 'component_response')).toEqual(['giver'])
    expect(rolesOf('p1', 'state_transition')).toEqual(['giver', 'giver', 'giver', 'taker', 'taker'])
  })

  test('[RM217] rooms without rotation record nothing of the kind', () => {
    const room = begun(game({ blocks: [{ id: 'game', states: ['give', 'take'], rounds: 3 }] }))
    room.respond('p1', 'offer', 5)
    expect(room.recordsOf('p1', 'state_transition').some(({ data }) => 'role' in data)).toBe(false)
    expect(room.room().rotation).toBeUndefined()
  })

  test('[RM215] in any room, each role has as many seats as at the beginning while nobody leaves', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { steps } = play(given)
        const rolesOf = (seats: readonly { role: string }[]) => seats.map(({ role }) => role).sort()
        const [opened] = steps
        for (const { room } of steps) {
          if (room.seats.some(({ status }) => status !== 'active')) return
          expect(rolesOf(room.seats)).toEqual(rolesOf(opened?.room.seats ?? []))
        }
      }),
      { numRuns: 100 },
    )
  })
})
