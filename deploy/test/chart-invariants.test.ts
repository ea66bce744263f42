import { hardStopMs } from '@atrium/program'
import { describe, expect, test } from 'vitest'
import { destinationOf } from '../../apps/router/src/routing/destination.ts'
import { allRoutes } from '../../packages/contract/src/index.ts'
import { valuesOf } from '../render/chart.ts'
import { deployedPrograms, sampleSecrets } from './programs.ts'
import { type Container, examples, isSelectedBy, ofKind, workloadsOf } from './rendered.ts'

/** The contract's deployment values, apart from the secret INTERNAL_API_KEY. */
const contractValues = {
  config: [
    'USE_V4_PARTICIPANT_API',
    'HORIZONTAL_SCALING_ENABLED',
    'MAX_ROOMS_PER_POD',
    'MAX_PARTICIPANTS_PER_POD',
    'METRICS_HEARTBEAT_INTERVAL',
    'TRANSCODER_ENDPOINT',
    'TRANSCODER_ROLE',
    'VIDEO_BUCKET',
    'BACKEND_URL',
    'VITE_BACKEND_URL',
  ],
  podIdentity: ['POD_NAME', 'POD_NAMESPACE', 'POD_IP'],
}

const programOf = ({ args }: Container) => deployedPrograms[args[0] ?? '']

/** The environment as the kubelet would set it. */
const environmentOf = ({ env }: Container): Record<string, string> =>
  Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [
      name,
      value ?? (valueFrom?.secretKeyRef ? (sampleSecrets[valueFrom.secretKeyRef.key] ?? '') : '10.0.0.1'),
    ]),
  )

describe.each(examples)('in the example $name,', ({ name, manifests }) => {
  const workloads = workloadsOf(manifests)
  const values = valuesOf(name) as {
    config: Record<string, unknown>
    podIdentity: Record<string, string>
    secret: { existingSecret: string; keys: string[]; videoKeys: string[]; optionalKeys: string[] }
    stop: { drainSeconds: number }
  }

  test('every deployment value of the contract has its place', () => {
    expect(Object.keys(values.config)).toEqual(expect.arrayContaining(contractValues.config))
    expect(Object.keys(values.podIdentity)).toEqual(contractValues.podIdentity)
    expect(values.secret.videoKeys).toContain('INTERNAL_API_KEY')
  })

  test.each(workloads)('$name reads every variable that it gets, and accepts them all', ({ container }) => {
    const program = programOf(container)
    const known = new Set(program?.keys.map((key) => key.name))
    const names = container.env.map((entry) => entry.name)
    expect(names.filter((variable) => !known.has(variable))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    expect(() => program?.read(environmentOf(container))).not.toThrow()
  })

  test.each(workloads)('$name gets its secrets by reference and nothing else that way', ({ container }) => {
    const secret = new Set(programOf(container)?.keys.flatMap((key) => (key.secret ? [key.name] : [])))
    for (const { name: variable, value, valueFrom } of container.env) {
      const reference = valueFrom?.secretKeyRef
      if (secret.has(variable)) expect(value).toBeUndefined()
      if (reference) expect(reference).toMatchObject({ name: values.secret.existingSecret, key: variable })
    }
  })

  test('every key of the secret is used, and only those', () => {
    const { keys, videoKeys, optionalKeys } = values.secret
    const wanted = [...keys, ...optionalKeys, ...(values.config.S3_ENDPOINT ? videoKeys : [])]
    const used = workloads.flatMap(({ container }) =>
      container.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []),
    )
    expect([...new Set(used)].sort()).toEqual(wanted.sort())
  })

  test('the whole configuration reaches a program, apart from what is built into the pages', () => {
    const set = Object.entries(values.config).filter(([, value]) => value !== '')
    const used = new Set(workloads.flatMap(({ container }) => container.env.map((entry) => entry.name)))
    const unused = set.map(([variable]) => variable).filter((variable) => !used.has(variable))
    const onlyForWorkers = workloads.some(({ name: workload }) => workload.endsWith('worker'))
      ? []
      : ['FFMPEG_PRESET']
    expect(unused).toEqual(onlyForWorkers)
  })

  test.each(workloads)('$name is asked for its health where it answers', ({ name: workload, container }) => {
    const routes = new Set(Object.values(allRoutes).map((route) => route.path))
    for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      expect(container.ports.map((port) => port.name)).toContain(httpGet.port)
      // The router forwards the contract's paths; only its own says how it is itself.
      if (workload.endsWith('router')) expect(destinationOf(httpGet.path).kind).toBe('router')
      else expect(routes).toContain(httpGet.path)
    }
  })

  test('the drain of the values is that of the programs', () => {
    expect(values.stop.drainSeconds * 1000).toBe(hardStopMs)
  })

  test.each(workloads)('$name has more time to stop than it takes', ({ pod, container }) => {
    const [, pauseSeconds] = container.lifecycle.preStop.exec.command
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(Number(pauseSeconds) * 1000 + hardStopMs)
  })

  test.each(workloads)('$name runs without root, privileges, a writable root or the cluster’s API', (one) => {
    expect(one.pod.containers).toHaveLength(1)
    expect(one.pod.automountServiceAccountToken).toBe(false)
    expect(one.pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.toSatisfy((user: number) => user > 0),
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(one.container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
    })
    for (const volume of one.pod.volumes ?? []) expect(volume.emptyDir).toHaveProperty('sizeLimit')
  })

  test.each(workloads)(
    '$name has requests and limits, which autoscaling and alerts need',
    ({ container }) => {
      const both = { cpu: expect.any(String), memory: expect.any(String) }
      expect(container.resources).toMatchObject({ requests: both, limits: both })
    },
  )

  test.each(workloads)('$name has a disruption budget and is kept from the network', ({ labels }) => {
    const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) =>
      isSelectedBy(spec.selector?.matchLabels as Record<string, string>, labels),
    )
    expect(budgets).toEqual([
      expect.objectContaining({ spec: expect.objectContaining({ maxUnavailable: 1 }) }),
    ])
    const policies = ofKind(manifests, 'NetworkPolicy').filter(({ spec }) =>
      isSelectedBy(spec.podSelector?.matchLabels, labels),
    )
    expect(policies.map(({ spec }) => spec.policyTypes)).toEqual(policies.map(() => ['Ingress', 'Egress']))
    const closed = policies.filter(({ spec }) => !spec.ingress && !spec.egress)
    expect(closed).toHaveLength(1)
    expect(policies).toHaveLength(2)
  })

  test('the instances have stable names, and the service of that name is headless', () => {
    const [instances] = ofKind(manifests, 'StatefulSet')
    const governing = ofKind(manifests, 'Service').find(
      ({ metadata }) => metadata.name === instances?.spec.serviceName,
    )
    expect(governing?.spec.clusterIP).toBe('None')
    expect(ofKind(manifests, 'StatefulSet')).toHaveLength(1)
  })

  test('there are at least two routers, and two to ten copies of the pages at 70 % CPU and 80 % memory', () => {
    const router = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name.endsWith('router'))
    expect(router?.spec.replicas).toBeGreaterThanOrEqual(2)
    const resource = (metric: string, averageUtilization: number) => ({
      type: 'Resource',
      resource: { name: metric, target: { type: 'Utilization', averageUtilization } },
    })
    expect(ofKind(manifests, 'HorizontalPodAutoscaler').map(({ spec }) => spec)).toEqual([
      {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'atrium-web' },
        minReplicas: 2,
        maxReplicas: 10,
        metrics: [resource('cpu', 70), resource('memory', 80)],
      },
    ])
    const web = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === 'atrium-web')
    expect(web?.spec).not.toHaveProperty('replicas')
  })
})
