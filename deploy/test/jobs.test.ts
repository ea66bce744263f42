import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../apps/server/src/config/config.ts'
import { deployFolder } from '../render/chart.ts'
import { validate } from './kubernetes.ts'
import { deployedPrograms, sampleSecrets } from './programs.ts'
import { examples, isSelectedBy, manifestsIn, ofKind, workloadsOf } from './rendered.ts'
import { unknownFieldsIn } from './unknown-fields.ts'

const root = join(deployFolder, '..')
const manifests = globSync('jobs/*.yaml', { cwd: deployFolder })
  .sort()
  .flatMap((path) => manifestsIn(readFileSync(join(deployFolder, path), 'utf8')))

test('the examples of jobs fit the schemas of their kinds, and have no unknown fields', () => {
  expect(manifests.map(({ kind }) => kind)).toEqual(['Job', 'PersistentVolumeClaim'])
  for (const manifest of manifests) validate(manifest)
  const [job] = structuredClone(manifests)
  if (job) job.spec.backofLimit = 1
  const problems = unknownFieldsIn([...manifests, ...(job ? [job] : [])])
  expect(problems.trim().split('\n')).toEqual([expect.stringContaining('backofLimit')])
})

describe.each(workloadsOf(manifests))('the job that runs $container.args', ({ container, pod, labels }) => {
  const [program = '', folder = ''] = container.args

  test('runs a program of the image as an instance would run, with the secret of the chart', () => {
    expect(existsSync(join(root, program))).toBe(true)
    const known = deployedPrograms['programs/serve.mjs']?.keys.map(({ name }) => name)
    const env = Object.fromEntries(container.env.map(({ name, value = 'atrium-backup-x' }) => [name, value]))
    expect(known).toEqual(expect.arrayContaining(Object.keys(env)))
    const config = readConfig({ ...sampleSecrets, ...env }, 'a-host')
    expect(config).toMatchObject({ databaseUrl: sampleSecrets.DATABASE_URL, horizontalScaling: true })
    expect(config.objectStore).toMatchObject({ endpoint: env.S3_ENDPOINT })
    expect(container.envFrom).toEqual([{ secretRef: { name: 'atrium' } }])
  })

  test('writes to a volume that is kept', () => {
    const mount = container.volumeMounts?.find(({ mountPath }) => folder.startsWith(`${mountPath}/`))
    const volume = pod.volumes?.find(({ name }) => name === mount?.name)
    const claims = ofKind(manifests, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)
    expect(claims).toContain(volume?.persistentVolumeClaim?.claimName)
  })

  test('has no more rights than an instance, and gets no requests of instances', () => {
    const [instance] = workloadsOf(examples[0]?.manifests ?? [])
    expect(pod.securityContext).toEqual(instance?.pod.securityContext)
    expect(container.securityContext).toEqual(instance?.container.securityContext)
    expect(pod.automountServiceAccountToken).toBe(false)
    const services = examples.flatMap((example) => ofKind(example.manifests, 'Service'))
    expect(services.length).toBeGreaterThan(0)
    for (const { spec } of services)
      expect(isSelectedBy(spec.selector as Record<string, string>, labels)).toBe(false)
  })
})

test('the page about deployment names every program that the image can run, and no other', () => {
  const page = readFileSync(join(root, 'docs', 'deployment.md'), 'utf8')
  const named = [...page.matchAll(/^\| [^|]*`((?:apps\/\S+\/entry|programs)\/\w+\.m?[tj]s)/gm)].map(
    ([, path]) => path,
  )
  const commands = ['backup', 'restore', 'move', 'doctor', 'migrate'].map(
    (name) => `apps/server/src/entry/${name}.ts`,
  )
  expect(named.sort()).toEqual([...Object.keys(deployedPrograms), ...commands].sort())
  expect(commands.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
