import { describeInOneMode, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { castOf } from './cast.ts'

const forged = [
  'finished',
  'payoff',
  'payment',
  'score',
  'variables_changed',
  'condition_assigned',
  'role_assigned',
]

describeInOneMode('where a row comes from', (world) => {
  const cast = castOf(world)
  const table = tableIn(world)

  test('[R54,E17] events sent by a page are never mistaken for events recorded by the room', async () => {
    const experimentId = await table.open(
      smallestDefinition({ conditions: { values: ['only'] }, roles: ['judge'] }),
    )
    const session = await table.join(experimentId, 'judge')
    const room = await table.connect(session)
    await acknowledged(room.act('submit_response', { componentId: 'c1', value: 50 }))
    const claims = { origin: 'room', roomSeq: 1, round: 3, visit: 9, condition: 'other', role: 'boss' }
    const events = forged.map((type) => ({
      type,
      timestamp: 1_700_000_000_000,
      ...claims,
      alias: 'P9',
      revision: 7,
      data: { ...claims, outcome: 'SUCCESS', variable: 'points', value: 1_000_000 },
    }))
    succeeded(await cast.send(session, events))
    const lines = await table.exported(experimentId)
    const who = { roomId: session.roomId, condition: 'only', role: 'judge', alias: 'P1', revision: 1 }
    for (const line of lines) expect(line).toMatchObject(who)
    const sent = lines.filter(({ origin }) => origin === 'client')
    expect(sent.map(({ type }) => type)).toEqual(forged)
    for (const { round, visit, roomSeq, extra } of sent)
      expect([round, visit, roomSeq, extra?.origin]).toEqual([null, null, null, 'room'])
    const recorded = lines.filter(({ origin }) => origin === 'room')
    expect(recorded.map(({ type, round, visit }) => [type, round, visit])).toEqual([
      ['condition_assigned', null, null],
      ['role_assigned', null, null],
      ['state_transition', null, 1],
      ['connected', null, 1],
      ['component_response', null, 1],
    ])
    expect(recorded.map(({ roomSeq }) => roomSeq)).toEqual([1, 1, 1, 2, 3])
    room.close()
  })

  test('[R54,E24] a waiting participant has a role but no room yet', async () => {
    const experimentId = await cast.open({ matching: { groupSize: 2 } })
    const { session } = await cast.participant(experimentId)
    succeeded(await cast.send(session, [{ type: 'note', timestamp: 1 }]))
    expect(await cast.exported(experimentId)).toMatchObject([
      { roomId: null, condition: null, role: null, alias: null, origin: 'client' },
    ])
  })

  test('[E15] a value that the settings do not allow is stored and flagged', async () => {
    const slider = { id: 'c1', type: 'slider', min: 0, max: 100 }
    const experimentId = await cast.open({
      states: [
        { id: 's1', components: [slider, { id: 'c2', type: 'multiple_choice', options: ['a', 'b'] }] },
        {
          id: 's2',
          components: [
            { ...slider, max: 5 },
            { id: 't', type: 'text', text: 'Read this' },
          ],
        },
      ],
    } as Parameters<typeof cast.open>[0])
    const { session } = await cast.participant(experimentId)
    const answers: [string, string | undefined, unknown, boolean][] = [
      ['c1', 's1', 100, true],
      ['c1', 's1', 1e6, false],
      ['c1', 's1', '50', false],
      ['c1', 's2', 50, false],
      ['c1', 's2', 5, true],
      // It cannot be told which of the two is meant, but one of them allows the first value and none the second.
      ['c1', undefined, 50, true],
      ['c1', undefined, 1e6, false],
      ['c2', 's1', 'b', true],
      ['c2', undefined, 'c', false],
      ['t', 's2', 'yes', false],
    ]
    // Often enough for the check to be compiled.
    const rounds = 12
    const events = Array.from({ length: rounds }, (_, round) =>
      answers.map(([componentId, stateId, value], index) => ({
        type: 'component_response',
        timestamp: 100 * round + index,
        componentId,
        data: { value },
        ...(stateId && { stateId }),
      })),
    ).flat()
    succeeded(await cast.send(session, events))
    const lines = await cast.exported(experimentId)
    expect(lines.map(({ data, flags }) => [data.value, flags])).toEqual(
      Array.from({ length: rounds }, () =>
        answers.map(([, , value, fits]) => [value, fits ? [] : ['invalid_value']]),
      ).flat(),
    )
  })
})
