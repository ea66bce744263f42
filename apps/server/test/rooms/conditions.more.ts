import { type Component, type ExperimentDefinition, experimentRoutes } from '@atrium/contract'
import { describeInBothModes, linesOf, type RoomSocket, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { acknowledged, refused, tableIn } from './table.ts'

const component = (id: string, type: string, settings: object): Component => ({ ...settings, id, type })
const onlyAtWork = "answers.works == 'yes'"
const study: ExperimentDefinition = {
  name: 'Conditions',
  states: [
    {
      id: 'ask',
      components: [
        component('works', 'multiple_choice', { options: ['yes', 'no'] }),
        component('hours', 'slider', { when: onlyAtWork }),
        component('why', 'text_input', { required: false, when: 'answers.hours > 50' }),
        component('way', 'dropdown', { options: ['bus', { value: 'office car', when: onlyAtWork }] }),
        component('often', 'matrix', {
          rows: ['read', { value: 'commute', when: onlyAtWork }],
          columns: ['never', 'often'],
        }),
      ],
      next: [{ to: 'jobless', when: "answers.works == 'no'" }, { to: 'end' }],
    },
    { id: 'jobless', components: [], next: [{ to: 'end', outcome: 'JOBLESS' }] },
  ],
  completion: { codes: { SUCCESS: 'DONE', JOBLESS: 'NO-WORK' } },
}

describeInBothModes('[R61] a page with conditions', (world) => {
  const table = tableIn(world)

  async function arrive(experimentId: string) {
    const session = await table.join(experimentId)
    const socket = await table.connect(session)
    const answer = (componentId: string, value: unknown) =>
      socket.act('submit_response', { componentId, value })
    return { session, socket, answer }
  }
  const shownTo = (socket: RoomSocket) => socket.snapshot().state?.components.map(({ id }) => id)

  async function responsesOf(experimentId: string, participantId: string) {
    const { token } = await table.researcher()
    const options = {
      token,
      params: { experimentId },
      query: { format: 'jsonl', table: 'responses' } as const,
    }
    const answer = await table.api.call(experimentRoutes.export, options)
    succeeded(answer)
    const rows = linesOf(answer.text) as Record<string, unknown>[]
    return rows
      .filter((row) => row.participantId === participantId)
      .map(({ componentId, value, missing }) => [componentId, value, missing])
  }

  test('[RM194] hidden parts are refused and missing for that reason, and an answer leads on', async () => {
    const experimentId = await table.open(study)
    const { session, socket, answer } = await arrive(experimentId)
    // The page decides, so it gets all of them, with what is left of their conditions.
    expect(shownTo(socket)).toEqual(['works', 'hours', 'why', 'way', 'often'])
    expect(await refused(answer('hours', 40))).toBe('NOT_SHOWN')
    await acknowledged(answer('works', 'no'))
    expect(await refused(answer('hours', 40))).toBe('NOT_SHOWN')
    expect(await refused(answer('way', 'office car'))).toBe('NOT_SHOWN')
    expect(await refused(answer('way', 'on foot'))).toBe('VALIDATION_FAILED')
    expect(await refused(answer('often', { read: 'often', commute: 'never' }))).toBe('NOT_SHOWN')
    await acknowledged(answer('way', 'bus'))
    expect(await refused(socket.act('ready', { stateId: 'ask' }))).toBe('ACTION_REFUSED')
    await acknowledged(answer('often', { read: 'often' }))
    await acknowledged(socket.act('ready', { stateId: 'ask' }))
    await socket.event('state_entered', ({ state }) => state.id === 'jobless')
    await acknowledged(socket.act('ready', { stateId: 'jobless' }))
    expect(await socket.event('finished')).toMatchObject({ outcome: 'JOBLESS' })
    socket.close()
    expect(await responsesOf(experimentId, session.participantId)).toEqual([
      ['works', 'no', null],
      ['way', 'bus', null],
      ['often', { read: 'often' }, null],
      ['hours', null, 'not_shown'],
      ['why', null, 'not_shown'],
    ])
  })

  test('[RM194] what the answers ask for is awaited, and what was shown and skipped is missing for another reason', async () => {
    const experimentId = await table.open(study)
    const { session, socket, answer } = await arrive(experimentId)
    await acknowledged(answer('works', 'yes'))
    await acknowledged(answer('way', 'office car'))
    await acknowledged(answer('often', { read: 'never', commute: 'often' }))
    expect(await refused(socket.act('ready', { stateId: 'ask' }))).toBe('ACTION_REFUSED')
    expect(await refused(answer('why', 'because'))).toBe('NOT_SHOWN')
    await acknowledged(answer('hours', 60))
    // A page that comes back decides by what was sent before.
    socket.close()
    const again = await table.connect(session)
    expect(again.snapshot().self.responses).toMatchObject({ works: 'yes', hours: 60 })
    await acknowledged(again.act('ready', { stateId: 'ask' }))
    expect(await again.event('finished')).toMatchObject({ outcome: 'SUCCESS' })
    again.close()
    expect(await responsesOf(experimentId, session.participantId)).toEqual([
      ['works', 'yes', null],
      ['way', 'office car', null],
      ['often', { read: 'never', commute: 'often' }, null],
      ['hours', 60, null],
      ['why', null, 'skipped'],
    ])
  })
})
