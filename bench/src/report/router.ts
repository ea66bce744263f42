import type { ProxyFigures, RouterResult } from '../suites/router.ts'
import { type Finding, findingLine } from './finding.ts'
import type { Section } from './section.ts'
import { table } from './table.ts'

const maxHttpToLua = 2
const maxEchoToNginx = 2

const missingNginx = 'Not installed: `apt-get install nginx-light libnginx-mod-http-lua lua-nginx-redis`.'

export function renderRouter({ http, echo, pod }: RouterResult): Section {
  const findings = {
    http: [
      {
        what: 'CPU, Atrium ÷ nginx + Lua, a GET of 200 bytes',
        value: cpu(http, 'nginx + Lua'),
        most: maxHttpToLua,
      },
      { what: 'p50, Atrium ÷ direct, a GET of 200 bytes', value: p50(http) },
    ],
    pod: [{ what: 'p50, Atrium ÷ direct, a batch of ten events', value: p50(pod) }],
    echo: [
      { what: 'CPU, Atrium ÷ nginx, an echo over a socket', value: cpu(echo, 'nginx'), most: maxEchoToNginx },
      { what: 'p50, Atrium ÷ direct, an echo over a socket', value: p50(echo) },
    ],
  }
  const text = `## Router: to the pod of a room

### HTTP: a GET with a response of 200 bytes

${figuresTable('request', http)}

${lines(findings.http)}
${comparison(http)}

### HTTP: a batch of ten events, to a pod on PostgreSQL

${figuresTable('request', pod)}

${lines(findings.pod)}

### Sockets: an echo of 100 bytes

${figuresTable('echo', echo)}

${lines(findings.echo)}

- The 200 bytes come from a server that does nothing else, so that only the proxy is measured; the batch is what a
  participant's client waits for.
- CPU is that of the proxy alone (nginx: one worker), with many concurrent clients; p50 is measured with a single one.
- *nginx* forwards everything to one address. *nginx + Lua* reads the room's pod and the pod's lease from Redis for every
  request. *Atrium* does the same, but caches the result for up to a second.
`
  return { text, findings: Object.values(findings).flat() }
}

function figuresTable(operation: string, proxies: ProxyFigures[]): string {
  const rows = proxies.map(({ name, operations, cpuMicrosPerOperation, p50Ms }) => [
    name,
    name === 'direct' ? '-' : cpuMicrosPerOperation.toFixed(1),
    p50Ms.toFixed(3),
    String(operations),
  ])
  return table(['way', `proxy CPU µs/${operation}`, 'p50 ms', 'measured'], rows)
}

const named = (proxies: ProxyFigures[], name: string) => proxies.find((proxy) => proxy.name === name)

/** NaN if there is nothing to compare with. */
const over = (ours?: number, theirs?: number): number => (ours ?? Number.NaN) / (theirs ?? Number.NaN)
const cpu = (proxies: ProxyFigures[], peer: string): number =>
  over(named(proxies, 'Atrium')?.cpuMicrosPerOperation, named(proxies, peer)?.cpuMicrosPerOperation)
const p50 = (proxies: ProxyFigures[], way = 'Atrium'): number =>
  over(named(proxies, way)?.p50Ms, named(proxies, 'direct')?.p50Ms)

/** The same ratio for the peers. */
function comparison(proxies: ProxyFigures[]): string {
  const peers = ['nginx', 'nginx + Lua'].flatMap((way) => {
    const times = p50(proxies, way)
    return Number.isNaN(times) ? [] : [`${way} ${times.toFixed(2)}`]
  })
  return peers.length > 0 ? `- By the same measure: ${peers.join(', ')}` : ''
}

const lines = (findings: Finding[]): string =>
  findings.map((finding) => findingLine(finding, Number.isNaN(finding.value) ? missingNginx : '')).join('\n')
