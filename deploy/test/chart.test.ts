import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { chartHash, deployFolder, exampleNames, overlaid, valuesOf } from '../render/chart.ts'
import { validate } from './kubernetes.ts'
import { examples, workloadsOf } from './rendered.ts'
import { unknownFieldsIn } from './unknown-fields.ts'

const root = join(deployFolder, '..')
const readChart = (name: string): string => readFileSync(join(deployFolder, 'chart', name), 'utf8')
const schema = Compile(JSON.parse(readChart('values.schema.json')))
const defaults = parse(readChart('values.yaml'))

test('there are three examples, rendered from the chart as it is now (otherwise: npm run render)', () => {
  expect(exampleNames()).toEqual(['hosted', 'large', 'small'])
  for (const { text } of examples) expect(/^# chart: (.*)$/m.exec(text)?.[1]).toBe(chartHash())
})

test('the chart runs the image of this version, and the page about deployment names none', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(parse(readChart('Chart.yaml'))).toMatchObject({ version, appVersion: version })
  for (const { manifests } of examples)
    for (const { container } of workloadsOf(manifests))
      expect(container.image.split('@')[0]?.endsWith(`atrium:${version}`), container.image).toBe(true)
  const page = readFileSync(join(root, 'docs', 'deployment.md'), 'utf8')
  expect(page.match(/\batrium:\d.*/g)).toBeNull()
})

describe.each(examples)('the manifests of $name', ({ manifests }) => {
  test.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
    '%s %s fits the schema of its kind',
    (_kind, _name, manifest) => validate(manifest),
  )
})

test('no manifest has a field that Kubernetes would ignore; a misspelled one would be found', () => {
  const manifests = examples.flatMap((example) => example.manifests)
  const misspelled = structuredClone(manifests.filter(({ kind }) => kind === 'StatefulSet').slice(0, 1))
  for (const { spec } of misspelled) spec.minReadySecond = 10
  const problems = unknownFieldsIn([...manifests, ...misspelled])
  expect(problems.trim().split('\n')).toEqual([expect.stringContaining('minReadySecond')])
})

describe('the schema of the values', () => {
  test.each(exampleNames())('accepts the values of %s', (name) => {
    const [, errors] = schema.Errors(valuesOf(name))
    expect(errors).toEqual([])
  })

  test.each<[string, object]>([
    ['a secret among the configuration', { config: { SESSION_SECRET: 'in-plain-text' } }],
    ['a misspelled value', { backend: { replica: 3 } }],
    ['a single instance of the chart that is not scaled', { config: { HORIZONTAL_SCALING_ENABLED: false } }],
    ['an address in the pages', { config: { VITE_BACKEND_URL: 'https://study.example.org' } }],
    ['a share of traces that Go would round to 0', { config: { OTEL_TRACES_SAMPLER_ARG: 0.05 } }],
    ['an object store at any address', { networkPolicy: { objectStore: { peers: [] } } }],
    ['no instance at all', { backend: { replicas: 0 } }],
    ['a digest that is none', { image: { digest: 'latest' } }],
  ])('refuses %s', (_what, values) => {
    expect(schema.Check(overlaid(defaults, values as Record<string, unknown>))).toBe(false)
  })
})
