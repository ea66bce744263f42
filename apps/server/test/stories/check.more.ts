import { type DefinitionFinding, type ExperimentDefinition, experimentRoutes } from '@atrium/contract'
import {
  type ApiResponse,
  createResearcher,
  describeInOneMode,
  smallestDefinition,
  succeeded,
} from '@atrium/testkit'
import { anyDefinition } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomDefinition } from '../../src/modules/rooms/test/random-definition.ts'
import { castOf } from './cast.ts'
import { refusalOf } from './refusal.ts'

/** Something that somebody may have left in a definition while building it. */
const slip: fc.Arbitrary<(definition: ExperimentDefinition) => unknown> = fc.constantFrom(
  (definition) => definition,
  (definition) => ({ ...definition, name: '' }),
  ({ states: _, ...rest }) => rest,
  (definition) => ({ ...definition, states: [...definition.states, ...definition.states] }),
  (definition) => ({ ...definition, completion: { codes: { UNKNOWN_OUTCOME: 'X' } } }),
  (definition) => ({
    ...definition,
    states: definition.states.map((state) => ({ ...state, next: [{ to: 'gone' }] })),
  }),
  (definition) => ({
    ...definition,
    states: definition.states.map((state) => ({
      ...state,
      next: [{ to: 'end', when: 'no.such.thing > (' }],
    })),
  }),
  (definition) => ({
    ...definition,
    agents: [{ id: 'a', name: 'A', credentialId: 'cred_none', instructions: 'x' }],
  }),
  (definition) => ({
    ...definition,
    states: [{ id: 'film', components: [{ id: 'f', type: 'video', videoId: 'vid_none' }] }],
  }),
)

describeInOneMode('checking a definition', (world) => {
  const cast = castOf(world)

  test('[R23] a check finds what saving would refuse or warn about, for any definition, and saves nothing', async () => {
    const { token } = await cast.researcher()
    const call = (route: typeof experimentRoutes.create | typeof experimentRoutes.check, body: unknown) =>
      cast.api.call(route, { token, body })
    const count = async () =>
      succeeded(await cast.api.call(experimentRoutes.list, { token })).experiments.length
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyDefinition, randomDefinition(2)), slip, async (definition, slipIn) => {
        const body = slipIn(definition)
        const before = await count()
        const checked = succeeded(await call(experimentRoutes.check, body))
        expect(await count()).toBe(before)
        expect(checked).toEqual(asFound(await call(experimentRoutes.create, body)))
      }),
      { numRuns: 40 },
    )
  })

  test('[R37] a revision is checked with the rights of those who may edit the experiment', async () => {
    const owner = await cast.researcher()
    const created = await cast.api.call(experimentRoutes.create, {
      token: owner.token,
      body: smallestDefinition(),
    })
    const params = { experimentId: succeeded(created).experimentId }
    const body = smallestDefinition({ completion: { codes: { ODD: 'X' } } })
    const checked = await cast.api.call(experimentRoutes.checkRevision, { token: owner.token, params, body })
    expect(succeeded(checked)).toMatchObject({ isValid: true, findings: [{ level: 'warning' }] })
    const stranger = await createResearcher(cast.api)
    const refused = await cast.api.call(experimentRoutes.checkRevision, {
      token: stranger.token,
      params,
      body,
    })
    expect(refusalOf(refused)).toMatchObject({ status: 404, code: 'EXPERIMENT_NOT_FOUND' })
  })
})

/** What saving has answered, as a check would put it. */
function asFound(saved: ApiResponse): { isValid: boolean; findings: DefinitionFinding[] } {
  if (saved.status === 201) {
    const { warnings, notes } = saved.body as Record<
      'warnings' | 'notes',
      { path: string; message: string }[]
    >
    const asWarning = warnings.map((issue) => ({ level: 'warning' as const, ...issue }))
    return {
      isValid: true,
      findings: [...asWarning, ...notes.map((issue) => ({ level: 'note' as const, ...issue }))],
    }
  }
  const { code, details } = refusalOf(saved)
  expect(code).toBe('VALIDATION_FAILED')
  const issues = details.issues as { path: string; message: string }[]
  return { isValid: false, findings: issues.map((issue) => ({ level: 'error', ...issue })) }
}
