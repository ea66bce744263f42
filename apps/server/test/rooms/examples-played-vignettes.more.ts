import { type ExperimentDefinition, experimentRoutes, type StateView } from '@atrium/contract'
import { describeInOneMode, linesOf, type RoomSocket, succeeded } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { example } from './examples.ts'
import { acknowledged, tableIn } from './table.ts'

const opinions = new Set(['punctual', 'honest', 'loyal'])

describeInOneMode('[R65] The vignette survey, played to its end', (world) => {
  const table = tableIn(world)

  const answer = (socket: RoomSocket, componentId: string, value: unknown) =>
    acknowledged(socket.act('submit_response', { componentId, value }))

  /** The first one is in the snapshot. */
  async function stateIn(room: RoomSocket, visit: number): Promise<StateView> {
    const { state } = room.snapshot()
    if (state?.visit === visit) return state
    return (await room.event('state_entered', (event) => event.state.visit === visit)).state
  }

  /** One person from the first page to the last, and what they saw. */
  async function play(experimentId: string, hasHired: boolean) {
    const session = await table.join(experimentId)
    const room = await table.connect(session)
    const path: string[] = []
    let shuffled: string[] = []
    let story = ''
    for (let visit = 1; path.at(-1) !== 'recall'; visit += 1) {
      const state = await stateIn(room, visit)
      path.push(state.id)
      if (opinions.has(state.id)) await answer(room, 'agree', 4)
      if (state.id === 'about_you') {
        await answer(room, 'age', '30 to 49')
        await answer(room, 'hired', hasHired ? 'yes' : 'no')
      }
      if (state.id === 'hiring') await answer(room, 'applications', 40)
      if (state.id === 'vignette') story = JSON.stringify(state.components)
      if (state.id === 'judgement') {
        shuffled = state.components.map(({ id }) => id)
        for (const id of ['competent', 'reliable', 'likeable']) await answer(room, id, 60)
        await answer(room, 'invite', 'yes')
      }
      if (state.id === 'recall') await answer(room, 'was_out_of_work', 'I do not remember')
      await acknowledged(room.act('ready'))
    }
    expect((await room.event('finished')).outcome).toBe('SUCCESS')
    expect(await table.complete(session, 'SUCCESS')).toMatchObject({ completionCode: 'VIGNETTE-DONE' })
    room.close()
    return { participantId: session.participantId, path, shuffled, story }
  }

  async function rowsOf(experimentId: string, name: 'responses' | 'states' | 'participants' | 'assignments') {
    const { token } = await table.researcher()
    const options = { token, params: { experimentId }, query: { format: 'jsonl', table: name } } as const
    const answer = await table.api.call(experimentRoutes.export, options)
    succeeded(answer)
    const rows = linesOf(answer.text) as Record<string, unknown>[]
    return (participantId: string) => rows.filter((row) => row.participantId === participantId)
  }

  it('ten people fill the cells by their weights, and the data says what each of them saw', async () => {
    const experimentId = await table.open(example('vignette-survey'))
    const people: Awaited<ReturnType<typeof play>>[] = []
    for (let index = 0; index < 10; index += 1) people.push(await play(experimentId, index % 2 === 0))
    const [participants, responses, states, assignments] = [
      await rowsOf(experimentId, 'participants'),
      await rowsOf(experimentId, 'responses'),
      await rowsOf(experimentId, 'states'),
      await rowsOf(experimentId, 'assignments'),
    ]
    const cells = people.map(({ participantId }) => String(participants(participantId)[0]?.condition))
    for (const five of [cells.slice(0, 5), cells.slice(5)])
      expect(five.toSorted()).toEqual([
        'none×neutral',
        'none×warm',
        'two_years×neutral',
        'two_years×warm',
        'two_years×warm',
      ])

    for (const [index, { participantId, path, shuffled, story }] of people.entries()) {
      const [gap = '', letter = ''] = cells[index]?.split('×') ?? []
      expect(participants(participantId)[0]).toMatchObject({ factor_gap: gap, factor_letter: letter })
      expect(story.includes('without work')).toBe(gap === 'two_years')
      expect(story.includes('hire Robin again')).toBe(letter === 'warm')
      expect(states(participantId).map(({ stateId }) => stateId)).toEqual(path)

      // R61: the block about hiring is asked of those who have hired, and missing for the others.
      const hiring = responses(participantId).filter(({ stateId }) => stateId === 'hiring')
      expect(path.includes('hiring')).toBe(index % 2 === 0)
      expect(hiring.map(({ componentId, value, missing }) => [componentId, value, missing])).toEqual([
        index % 2 === 0 ? ['applications', 40, null] : ['applications', null, 'not_shown'],
      ])

      // Two of three questions, in the order that the assignments name.
      const asked = path.filter((id) => opinions.has(id))
      expect(new Set(asked).size).toBe(2)
      expect(assignments(participantId)[0]?.plannedOrder).toMatchObject({ opinions: asked })

      const judged = states(participantId).find(({ stateId }) => stateId === 'judgement')
      expect(judged?.componentOrder).toEqual(shuffled)
      expect([shuffled[0], shuffled[4]]).toEqual(['scale', 'invite'])
    }
    expect(new Set(people.map(({ shuffled }) => shuffled.join())).size).toBeGreaterThan(1)
  })

  it('once every cell has its quota, people are turned away', async () => {
    const survey = example('vignette-survey')
    const quotas = { 'none×neutral': 1, 'none×warm': 0, 'two_years×neutral': 1, 'two_years×warm': 1 }
    const small: ExperimentDefinition = {
      ...survey,
      conditions: { ...survey.conditions, quotas },
    }
    const experimentId = await table.open(small)
    for (let index = 0; index < 3; index += 1) await play(experimentId, false)
    const late = await table.join(experimentId)
    const room = await table.connect(late)
    expect(room.snapshot().self).toMatchObject({ status: 'finished', outcome: 'QUOTA_FULL' })
    expect(await table.complete(late, 'QUOTA_FULL')).toMatchObject({ completionCode: 'VIGNETTE-FULL' })
    room.close()
  })
})
