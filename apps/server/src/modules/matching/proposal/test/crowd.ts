import type { WaitingPerson } from '../../../../ports/waiting-queue.ts'
import type { MatchingSettings, RoleQuota } from '../../matching-settings.ts'
import type { MatchInput } from '../proposal.ts'
import { propose } from '../propose.ts'

export const settingsOf = (more: Partial<MatchingSettings> = {}): MatchingSettings => ({
  min: 2,
  max: 2,
  deadlineMs: null,
  onDeadline: 'wait',
  elsewhere: null,
  roles: [],
  filters: [],
  balance: [],
  exclusions: [],
  compose: [],
  ...more,
})

export const quota = (id: string, min = 0, max = Infinity): RoleQuota => ({ id, min, max })

/** A person who arrived at this time. */
export const person = (
  participantId: string,
  arrivedAt: number,
  more: Partial<Pick<WaitingPerson, 'role' | 'attributes'>> = {},
): WaitingPerson => ({ participantId, arrivedAt, revision: 1, role: 'participant', attributes: {}, ...more })

/** `crowd('a b c')`: a arrives at 0, b at 1, c at 2. `a:buyer` requests a role, `a/x` sets the attribute `team` to x. */
export const crowd = (names: string): WaitingPerson[] =>
  names.split(' ').map((word, index) => {
    const [asked = '', team] = word.split('/')
    const [name = '', role = 'participant'] = asked.split(':')
    return person(name, index, { role, attributes: team === undefined ? {} : { team } })
  })

/** The proposal as text: `a b`, with roles `a:buyer`, with agents `a +participant`, and endings by reason. */
export function proposed(
  people: WaitingPerson[],
  settings: Partial<MatchingSettings>,
  more: Partial<MatchInput> = {},
): { groups: string[]; endings: Record<string, string> } {
  const input = {
    people,
    settings: settingsOf(settings),
    formerPartners: [],
    now: 0,
    isClosing: false,
    ...more,
  }
  const { groups, endings } = propose(input)
  const named = (id: string, role: string) => (role === 'participant' ? id : `${id}:${role}`)
  return {
    groups: groups.map(({ members, agents }) =>
      [
        ...members.map(({ participantId, role }) => named(participantId, role)),
        ...agents.map(({ role }) => `+${role}`),
      ].join(' '),
    ),
    endings: Object.fromEntries(endings.map(({ participantId, reason }) => [participantId, reason])),
  }
}
