import type { ProxyFigures, RouterResult } from '../suites/router.ts'
import { table, verdict } from './report.ts'

const maxHttpToLua = 2
const maxEchoToNginx = 2

const missingNginx = 'Not installed: `apt-get install nginx-light libnginx-mod-http-lua lua-nginx-redis`.'

export function renderRouter({ http, echo, pod }: RouterResult): string {
  return `## Router: to the pod of a room

### HTTP: a GET with a response of 200 bytes

${figuresTable('request', http)}

${ratio('CPU, Atrium ÷ nginx + Lua', cpu(http, 'nginx + Lua'), maxHttpToLua)}
${figure('p50, Atrium ÷ direct', p50(http))}
${comparison(http)}

### HTTP: a batch of ten events, to a pod on PostgreSQL

${figuresTable('request', pod)}

${figure('p50, Atrium ÷ direct', p50(pod))}

### Sockets: an echo of 100 bytes

${figuresTable('echo', echo)}

${ratio('CPU, Atrium ÷ nginx', cpu(echo, 'nginx'), maxEchoToNginx)}
${figure('p50, Atrium ÷ direct', p50(echo))}

- The 200 bytes come from a server that does nothing else, so that only the proxy is measured; the batch is what a
  participant's client waits for.
- CPU is that of the proxy alone (nginx: one worker), with many concurrent clients; p50 is measured with a single one.
- *nginx* forwards everything to one address. *nginx + Lua* reads the room's pod and the pod's lease from Redis for every
  request. *Atrium* does the same, but caches the result for up to a second.
`
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

const ratio = (what: string, value: number, most: number): string =>
  Number.isNaN(value)
    ? `- ${what}: not measured. ${missingNginx}`
    : `- ${what}: **${value.toFixed(2)}** (target ≤ ${most}: ${verdict(value <= most)})`

/** Without a target, because the machine does other things as well. */
const figure = (what: string, value: number): string => `- ${what}: **${value.toFixed(2)}**`
