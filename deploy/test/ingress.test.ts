import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { destinationOf } from '../../apps/router/src/routing/destination.ts'
import { allRoutes } from '../../packages/contract/src/index.ts'
import { serviceFor } from './ingress-routing.ts'
import { examples, isSelectedBy, ofKind, type PolicyRule, workloadsOf } from './rendered.ts'

/** The contract's path table, and what the platform serves beside it. */
const pathTable: Array<[path: string, service: string]> = [
  ['/experiment/room_a-1', 'atrium-router'],
  ['/socket.io/', 'atrium-router'],
  ['/socket.io/?roomId=room_a', 'atrium-router'],
  ['/api/room/room_a', 'atrium-router'],
  ['/api/experiment/room_a/state', 'atrium-router'],
  ['/api/v4/participant/join', 'atrium-api'],
  ['/api/experiments', 'atrium-api'],
  ['/api/rooms', 'atrium-api'],
  ['/api/health/metrics', 'atrium-api'],
  ['/health/cluster', 'atrium-api'],
  ['/media/1.signature/videos/v/hls/master.m3u8', 'atrium-api'],
  ['/', 'atrium-web'],
  ['/console', 'atrium-web'],
  ['/experiment', 'atrium-web'],
  ['/experiment?roomId=room_a&pod=atrium-backend-0', 'atrium-web'],
  ['/assets/index.js', 'atrium-web'],
  ['/signed-in', 'atrium-web'],
  ['/join/exp_a', 'atrium-web'],
  ['/frame.html', 'atrium-web'],
  ['/jspsych.html', 'atrium-web'],
  ['/preview', 'atrium-web'],
  ['/try/exp_a', 'atrium-web'],
  ['/icon.svg', 'atrium-web'],
  ['/examples/own-page.html', 'atrium-web'],
  ['/sdk/atrium.js', 'atrium-web'],
  ['/sdk/atrium.d.ts', 'atrium-web'],
  ['/sdk/LICENSES.txt', 'atrium-web'],
  ['/dev/identity/token', 'atrium-web'],
]

/** Every route that the contract declares, in a room where it names one. The ingress treats two groups of them specially. */
const declaredPaths = [...new Set(allRoutes.map(({ path }) => path))]
  .filter((path) => !/^\/(?:api\/internal|dev)\//.test(path))
  .map((path) => path.replace(':roomId', 'room_a').replace(/:\w+/g, 'x'))

const portOf: Record<string, number> = { 'atrium-api': 3000, 'atrium-router': 3001, 'atrium-web': 3002 }
const anyPath = fc
  .array(
    fc.constantFrom(
      ...[
        'api',
        'room',
        'room_a',
        'experiment',
        'experiments',
        'socket.io',
        'health',
        'media',
        'console',
        'sdk',
        'x',
        '',
      ],
    ),
    { maxLength: 5 },
  )
  .map((segments) => `/${segments.join('/')}`)

describe.each(examples)('the ingress of $name', ({ name, manifests }) => {
  const paths = ofKind(manifests, 'Ingress').flatMap(({ spec }) => spec.rules?.[0]?.http.paths ?? [])
  const pathOf = (target: string): string => target.split('?')[0] ?? ''

  test.each(pathTable)('sends %s to %s', (target, service) => {
    expect(serviceFor(paths, pathOf(target))).toBe(service)
  })

  test.each(declaredPaths)('sends %s to the programs that answer it', (path) => {
    const isOfRoom = destinationOf(path).kind === 'room'
    expect(serviceFor(paths, path)).toBe(isOfRoom ? 'atrium-router' : 'atrium-api')
  })

  test('sends nothing past the router that belongs to a room, whatever the path', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        // Proxies and this ingress disagree about // only in ways that the router settles.
        fc.pre(!path.includes('//'))
        const { kind } = destinationOf(path)
        const service = serviceFor(paths, path)
        if (kind === 'room') expect(service).toBe('atrium-router')
        if (service === 'atrium-web') expect(kind).toBe('web')
        if (service === 'atrium-api') expect(['backend', 'ready', 'router']).toContain(kind)
      }),
      { numRuns: 1_000 },
    )
  })

  test('leads to the internal routes only where functions need them', () => {
    const expected = name === 'hosted' ? 'atrium-api' : 'atrium-web'
    expect(serviceFor(paths, '/api/internal/videos/v/hls-complete')).toBe(expected)
  })

  test.each(Object.keys(portOf))('reaches pods behind %s, which accept it', (service) => {
    const [found] = ofKind(manifests, 'Service').filter(({ metadata }) => metadata.name === service)
    const selector = found?.spec.selector as Record<string, string>
    const behind = workloadsOf(manifests).filter(({ labels }) => isSelectedBy(selector, labels))
    expect(behind).toHaveLength(1)
    const [workload] = behind
    const port = workload?.container.ports.find(({ name: port }) => port === 'http')?.containerPort
    expect(found?.spec.ports?.[0]).toMatchObject({ name: 'http', port: portOf[service], targetPort: 'http' })
    expect(port).toBe(portOf[service])
    const [policy] = ofKind(manifests, 'NetworkPolicy').filter(
      ({ spec }) => spec.ingress && isSelectedBy(spec.podSelector?.matchLabels, workload?.labels ?? {}),
    )
    const isFromOutside = ({ from = [], ports = [] }: PolicyRule) =>
      ports.some((one) => one.port === port) && from.some((peer) => !peer.podSelector)
    expect(policy?.spec.ingress?.some(isFromOutside)).toBe(true)
  })
})

/** Who calls whom inside the cluster, by the programs' configuration. */
const calls: Array<[from: string, to: string, port: number]> = [
  ['router', 'backend', 3000],
  ['router', 'web', 3002],
  ['worker', 'backend', 3000],
]

/** A rule without ports is for all of them. */
const includesPort = ({ ports }: PolicyRule, wanted: number): boolean =>
  ports === undefined || ports.some(({ port, endPort = port }) => port <= wanted && wanted <= endPort)

describe.each(examples)('the network policies of $name', ({ manifests }) => {
  const workloads = workloadsOf(manifests)
  const labelsOf = (component: string) => workloads.find((one) => one.name === `atrium-${component}`)?.labels
  const rulesOf = (component: string, direction: 'ingress' | 'egress'): PolicyRule[] =>
    ofKind(manifests, 'NetworkPolicy').flatMap(({ spec }) =>
      isSelectedBy(spec.podSelector?.matchLabels, labelsOf(component) ?? {}) ? (spec[direction] ?? []) : [],
    )
  const allows = (rules: PolicyRule[], peer: Record<string, string>, port: number): boolean =>
    rules.some(
      ({ from, to, ports = [] }) =>
        ports.some((one) => one.port === port) &&
        (from ?? to ?? []).some((one) => isSelectedBy(one.podSelector?.matchLabels, peer)),
    )

  test.each(calls)('let %s call %s on port %i, and nobody else', (from, to, port) => {
    const caller = labelsOf(from)
    const called = labelsOf(to)
    if (caller && called) {
      expect(allows(rulesOf(from, 'egress'), called, port)).toBe(true)
      expect(allows(rulesOf(to, 'ingress'), caller, port)).toBe(true)
    }
    const others = workloads.filter(
      (one) => !calls.some(([a, b]) => b === to && one.name === `atrium-${a}`) && one.name !== `atrium-${to}`,
    )
    for (const { labels } of others) expect(allows(rulesOf(to, 'ingress'), labels, port)).toBe(false)
  })

  test('let no pod reach every address on port 443, which would include those inside the networks', () => {
    const egress = ofKind(manifests, 'NetworkPolicy').flatMap(({ spec }) => spec.egress ?? [])
    const toAnywhere = egress.filter(({ to = [] }) => to.length === 0)
    expect(toAnywhere.filter((rule) => includesPort(rule, 443))).toEqual([])
    // The filter sees what it is about: an address range is a peer, and every such rule has its exceptions.
    const toRanges = egress.filter(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0'))
    expect(toRanges.length).toBeGreaterThan(0)
    for (const { to = [] } of toRanges)
      for (const { ipBlock } of to) expect(ipBlock?.except).toContain('169.254.0.0/16')
  })

  test.each(workloads)('let $name reach a collector of traces if it has one', ({ name, container }) => {
    const isTraced = container.env.some((entry) => entry.name === 'OTEL_EXPORTER_OTLP_ENDPOINT')
    const rules = rulesOf(name.replace('atrium-', ''), 'egress')
    const rulesFor4318 = rules.filter(({ ports = [] }) => ports.some(({ port }) => port === 4318))
    expect(rulesFor4318).toEqual(isTraced ? [expect.objectContaining({ to: expect.anything() })] : [])
  })
})
