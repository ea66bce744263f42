import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { installSystemPrograms } from '../../scripts/system-programs.mjs'
import { exampleNames, overlaid, renderedPath, valuesOf } from '../render/chart.ts'
import { goPrograms, renderChart, renderExample } from '../render/run-renderer.ts'
import { manifestsIn, ofKind, workloadsOf } from './rendered.ts'

beforeAll(() => installSystemPrograms(goPrograms))

const rendered = (values: object) =>
  manifestsIn(renderChart(overlaid(valuesOf('small'), values as Record<string, unknown>)))

test.each(exampleNames())(
  'the committed manifests of %s are what the chart renders, byte for byte',
  (name) => {
    expect(renderExample(name)).toBe(readFileSync(renderedPath(name), 'utf8'))
  },
)

describe('the chart', () => {
  test.each<[string, object, string]>([
    ['a hosted installation without an identity provider', { config: { OIDC_ISSUER: '' } }, 'OIDC_ISSUER'],
    ['workers without an object store', { worker: { enabled: true } }, 'S3_ENDPOINT'],
  ])('refuses %s', (_what, values, reason) => {
    expect(() => rendered(values)).toThrow(reason)
  })

  test('leaves out what is switched off', () => {
    const manifests = rendered({ ingress: { enabled: false }, networkPolicy: { enabled: false } })
    expect(ofKind(manifests, 'Ingress')).toEqual([])
    expect(ofKind(manifests, 'NetworkPolicy')).toEqual([])
  })

  test('offers the development issuer only where it runs', () => {
    const paths = (values: object) =>
      ofKind(rendered(values), 'Ingress').flatMap(({ spec }) =>
        spec.rules?.[0]?.http.paths.map(({ path }) => path),
      )
    expect(paths({})).not.toContain('/dev')
    expect(paths({ config: { HOSTED: false } })).toContain('/dev')
  })

  test('prints large numbers in full', () => {
    const [backend] = workloadsOf(rendered({ config: { MAX_VIDEO_BYTES: 107374182400 } }))
    const variable = backend?.container.env.find(({ name }) => name === 'MAX_VIDEO_BYTES')
    expect(variable?.value).toBe('107374182400')
  })
})
