import { expect, test } from 'vitest'
import type { BotEvent, BotNews } from '../bot-log.ts'
import { checkInvariants, invariants } from './check-invariants.ts'
import type { Evidence } from './evidence.ts'

type Line = Evidence['exported'][number]
type Change = (evidence: Evidence) => Evidence

const people = ['ann', 'bob']

const newsOf = (who: string): BotNews[] => [
  { kind: 'joined', sessionId: `sess_${who}`, participantId: `part_${who}` },
  { kind: 'waiting', needed: 1 },
  { kind: 'assigned', roomId: 'room_1' },
  { kind: 'entered', roomId: 'room_1', stateId: 's1', visit: 1, round: null },
  {
    kind: 'sent',
    actionId: `${who}-1`,
    action: 'submit_response',
    stateId: 's1',
    componentId: 'c1',
    content: 7,
  },
  { kind: 'acknowledged', actionId: `${who}-1`, seq: 3 },
  { kind: 'sent', actionId: `${who}-2`, action: 'ready', stateId: 's1', componentId: null, content: null },
  { kind: 'acknowledged', actionId: `${who}-2`, seq: 4 },
  { kind: 'entered', roomId: 'room_1', stateId: 's2', visit: 2, round: null },
  { kind: 'sent', actionId: `${who}-3`, action: 'ready', stateId: 's2', componentId: null, content: null },
  { kind: 'refused', actionId: `${who}-3`, code: 'ACTION_REFUSED' },
  { kind: 'finished', outcome: 'SUCCESS' },
  { kind: 'completed', outcome: 'SUCCESS', completionCode: 'DONE' },
  { kind: 'history', completionCodes: ['DONE'] },
]

const linesOf = (who: string): Line[] =>
  [
    { type: 'state_transition', stateId: 's1', componentId: null, data: { visit: 1 } },
    { type: 'component_response', stateId: 's1', componentId: 'c1', data: { actionId: `${who}-1` } },
    { type: 'ready', stateId: 's1', componentId: null, data: { actionId: `${who}-2` } },
    { type: 'state_transition', stateId: 's2', componentId: null, data: { visit: 2 } },
    { type: 'finished', stateId: null, componentId: null, data: { outcome: 'SUCCESS' } },
  ].map((line, index) => ({
    round: null,
    ...line,
    participantId: `part_${who}`,
    roomId: 'room_1',
    stage: null,
    sessionId: `sess_${who}`,
    seq: index + 1,
  }))

const timed = (news: readonly BotNews[]): BotEvent[] => news.map((one, at) => ({ at, ...one }))

/** Two people, one room, two states, nothing wrong. */
const good: Evidence = {
  definition: {
    name: 'Two of us',
    states: [
      { id: 's1', components: [{ id: 'c1', type: 'slider' }] },
      { id: 's2', components: [] },
    ],
    matching: { groupSize: 2 },
    completion: { codes: { SUCCESS: 'DONE' } },
  },
  logs: people.map((subject) => ({ subject, events: timed(newsOf(subject)) })),
  exported: people.flatMap(linesOf),
  rooms: [
    {
      report: { roomId: 'room_1', pacing: 'room', status: 'ended' },
      seats: people.map((who) => ({ participantId: `part_${who}`, status: 'finished', outcome: 'SUCCESS' })),
    },
  ],
}

const changeNews =
  (who: string, change: (news: BotNews[]) => BotNews[]): Change =>
  (evidence) => ({
    ...evidence,
    logs: evidence.logs.map((log) =>
      log.subject === who ? { ...log, events: timed(change(newsOf(who))) } : log,
    ),
  })

const changeLines =
  (change: (lines: Line[]) => Line[]): Change =>
  (evidence) => ({ ...evidence, exported: change([...evidence.exported]) })

const changeFirstRoom =
  (change: (room: Evidence['rooms'][number]) => Evidence['rooms']): Change =>
  (evidence) => ({ ...evidence, rooms: evidence.rooms.flatMap(change) })

const renumbered = (lines: Line[]): Line[] =>
  lines.map((line, index) => ({
    ...line,
    seq: lines.slice(0, index + 1).filter(({ sessionId }) => sessionId === line.sessionId).length,
  }))

const withOutcome = (outcome: string, more: BotNews[] = []) =>
  changeNews('bob', (news) => [
    ...news.slice(0, -3),
    ...more,
    ...([
      { kind: 'finished', outcome },
      { kind: 'completed', outcome, completionCode: outcome },
      { kind: 'history', completionCodes: [outcome] },
    ] satisfies BotNews[]),
  ])

const broken = (change: Change): string[] =>
  checkInvariants(change(good))
    .filter(({ breaches }) => breaches.length > 0)
    .map(({ invariant }) => invariant)

const isAction = (actionId: string) => (line: Line) => line.data.actionId === actionId

/** Ann plays two rounds, worth 5 and 7, of which one is paid at 10 cents a point and 1 euro. */
function paying(more: object): Change {
  const pick = { rounds: 1, of: 'earned' }
  const payment = { currency: 'EUR', base: 1, rate: 0.1, pick }
  const paid = { isPaid: true, amount: 1.7, points: 7, picked: [{ blockId: 'game', round: 2, value: 7 }] }
  const worth = (round: number, value: number) => ({
    ...{ roomId: 'room_1', stage: null },
    ...{ participantId: 'part_ann', sessionId: 'sess_ann', seq: 0, componentId: null, stateId: 's1', round },
    type: 'variables_changed',
    data: { scope: 'participant', changes: [{ variable: 'earned', value }] },
  })
  const added: Line[] = [
    worth(1, 5),
    worth(2, 7),
    { ...worth(0, 0), type: 'payment', stateId: null, round: null, data: { ...paid, ...more } },
  ]
  return (evidence) => ({
    ...evidence,
    definition: {
      ...evidence.definition,
      blocks: [{ id: 'game', states: ['s1'], rounds: 2 }],
      completion: { ...evidence.definition.completion, payment },
    },
    exported: renumbered([...evidence.exported, ...added]),
  })
}

/** For each invariant the ways in which it is broken: it alone, or with those that must break with it. */
const breakages: [string, Change][] = [
  ['everyone who did not drop out', changeNews('ann', (news) => news.slice(0, -1))],
  [
    'everyone who did not drop out',
    changeNews('ann', (news) => [
      ...news.slice(0, -3),
      { kind: 'failed', message: 'the room is out of reach' },
    ]),
  ],
  [
    'every acknowledged action',
    changeLines((lines) => renumbered(lines.filter((line) => !isAction('ann-1')(line)))),
  ],
  [
    'every acknowledged action',
    changeLines((lines) =>
      renumbered(lines.flatMap((line) => (isAction('bob-2')(line) ? [line, line] : line))),
    ),
  ],
  [
    'every acknowledged action',
    changeLines(([one, answer, ready, ...rest]) =>
      one && answer && ready ? renumbered([one, ready, answer, ...rest]) : [],
    ),
  ],
  [
    'every stored action',
    changeLines((lines) =>
      renumbered(
        lines.flatMap((line) =>
          isAction('ann-2')(line) ? [line, { ...line, data: { actionId: 'ann-3' }, stateId: 's2' }] : line,
        ),
      ),
    ),
  ],
  [
    'every stored action',
    changeLines((lines) =>
      lines.map((line) => (isAction('ann-1')(line) ? { ...line, stateId: 's2' } : line)),
    ),
  ],
  [
    'the events of a session',
    changeLines((lines) => lines.map((line) => (line.seq === 5 ? { ...line, seq: 6 } : line))),
  ],
  [
    'nobody is in two rooms',
    changeFirstRoom((room) => [room, { ...room, report: { ...room.report, roomId: 'room_2' } }]),
  ],
  [
    'who was told of a room',
    changeFirstRoom(({ report, seats }) => [
      {
        report,
        seats: seats.map((seat, index) => (index === 1 ? { ...seat, participantId: 'part_eve' } : seat)),
      },
    ]),
  ],
  [
    'groups are of the size',
    (evidence) => ({ ...evidence, definition: { ...evidence.definition, matching: { groupSize: 3 } } }),
  ],
  [
    'each participant has at most one',
    changeNews('ann', (news) => [
      ...news.slice(0, -1),
      { kind: 'completed', outcome: 'SUCCESS', completionCode: 'DONE' },
      { kind: 'history', completionCodes: ['DONE', 'DONE'] },
    ]),
  ],
  [
    'each participant has at most one',
    changeNews('ann', (news) => [...news.slice(0, -1), { kind: 'history', completionCodes: [] }]),
  ],
  [
    'each participant has at most one',
    changeNews('ann', (news) => [
      ...news.slice(0, -2),
      { kind: 'completed', outcome: 'SUCCESS', completionCode: 'OTHER' },
      { kind: 'history', completionCodes: ['OTHER'] },
    ]),
  ],
  ['who plays to the end', withOutcome('TECHNICAL')],
  ['who plays to the end', withOutcome('ABANDONED')],
  ['who plays to the end', withOutcome('PARTNER_LEFT')],
  ['who plays to the end', withOutcome('SCREENED_OUT')],
  ['who is paid', paying({ amount: 2.1 })],
  ['who is paid', paying({ amount: 1.6, points: 6, picked: [{ blockId: 'game', round: 1, value: 6 }] })],
  ['who is paid', paying({ amount: 1, points: 0, picked: [] })],
  ['who is paid', paying({ isPaid: false })],
  [
    'the members of a room',
    changeNews('ann', (news) =>
      news.map((one) => (one.kind === 'entered' && one.visit === 2 ? { ...one, round: 2 } : one)),
    ),
  ],
  [
    'the members of a room',
    changeNews('ann', (news) => [
      ...news.slice(0, 9),
      { kind: 'entered', roomId: 'room_1', stateId: 's1', visit: 1, round: null },
      ...news.slice(9),
    ]),
  ],
  [
    'who was never away',
    changeLines((lines) =>
      lines.map((line) => (line.data.visit === 2 ? { ...line, data: { visit: 3 } } : line)),
    ),
  ],
]

test('nothing is wrong with a simulation in which nothing is wrong', () => {
  expect(broken((evidence) => evidence)).toEqual([])
  expect(broken(paying({}))).toEqual([])
})

test.each(breakages)('‘%s …’ can be broken (%#)', (name, change) => {
  const found = broken(change)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(name)
})

test('each invariant is broken above', () => {
  const unbroken = invariants.filter(({ name }) => !breakages.some(([start]) => name.startsWith(start)))
  expect(unbroken).toEqual([])
})

test('other endings have their reasons', () => {
  const missed = { value: { answer: 'often', passed: false } }
  const away: BotNews[] = [{ kind: 'away' }, { kind: 'back' }]
  expect(broken(withOutcome('ABANDONED', away))).toEqual([])
  expect(broken(withOutcome('PARTNER_LEFT', away))).toEqual([])
  const failed = (evidence: Evidence) =>
    changeLines((lines) =>
      lines.map((line) =>
        isAction('bob-1')(line)
          ? { ...line, data: { ...line.data, result: { passed: false, attemptsLeft: 0 } } }
          : line,
      ),
    )(withOutcome('SCREENED_OUT')(evidence))
  expect(broken(failed)).toEqual([])
  const inattentive = (evidence: Evidence) =>
    changeLines((lines) =>
      lines.map((line) => (isAction('bob-1')(line) ? { ...line, data: { ...line.data, ...missed } } : line)),
    )(withOutcome('SCREENED_OUT')(evidence))
  expect(broken(inattentive)).not.toContainEqual(expect.stringContaining('who plays to the end'))
})
