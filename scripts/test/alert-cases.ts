/** A series as promtool writes it, one value a minute. */
type Series = Record<string, string>

export interface AlertCase {
  alert: string
  name: string
  series: Series
  /** The first minute at which it fires; undefined = never within `minutes`. */
  firesAt?: number
  minutes: number
  /** Labels of the alert besides its severity, and its summary at `firesAt`. */
  labels?: Record<string, string>
  summary?: string
}

const requests = (status: string, values: string, job = 'backend'): Series => ({
  [`http_requests_total{job="${job}",instance="a",status="${status}"}`]: values,
})
const ofContainer = 'namespace="atrium",pod="backend-0",container="server"'
const container = { namespace: 'atrium', pod: 'backend-0', container: 'server' }
const twoCores: Series = {
  [`container_spec_cpu_quota{${ofContainer}}`]: '200000x40',
  [`container_spec_cpu_period{${ofContainer}}`]: '100000x40',
}
const used = (secondsPerMinute: string): Series => ({
  [`container_cpu_usage_seconds_total{${ofContainer}}`]: secondsPerMinute,
})
const memory = (bytes: string, limit: string): Series => ({
  [`container_memory_working_set_bytes{${ofContainer}}`]: bytes,
  [`container_spec_memory_limit_bytes{${ofContainer}}`]: limit,
})
const restarts = (values: string): Series => ({
  [`kube_pod_container_status_restarts_total{${ofContainer},uid="1"}`]: values,
})
const disconnects = (reason: string, values: string): Series => ({
  [`socketio_disconnect_total{job="backend",instance="a",reason="${reason}"}`]: values,
})

/** Series on which each alert must fire and must not, and both sides of each threshold and duration. */
export const alertCases: AlertCase[] = [
  {
    alert: 'HighErrorRate',
    name: '6 percent of server errors fire after 5 minutes',
    series: { ...requests('200', '0+94x30'), ...requests('500', '0+4x30'), ...requests('503', '0+2x30') },
    firesAt: 6,
    minutes: 20,
    labels: { job: 'backend' },
    summary: '6% of the responses of backend are server errors',
  },
  {
    alert: 'HighErrorRate',
    name: 'exactly 5 percent is not above',
    series: { ...requests('200', '0+95x30'), ...requests('500', '0+5x30') },
    minutes: 20,
  },
  {
    alert: 'HighErrorRate',
    name: 'every second response is an error, for 2 minutes only',
    series: { ...requests('200', '0+50x30'), ...requests('500', '0+0x8 50 100 100+0x20') },
    minutes: 30,
  },
  {
    alert: 'HighErrorRate',
    name: 'refusals are not server errors',
    series: { ...requests('404', '0+100x30'), ...requests('429', '0+100x30'), ...requests('500', '0x30') },
    minutes: 20,
  },
  {
    alert: 'HighErrorRate',
    name: 'no requests at all',
    series: { ...requests('200', '7x30'), ...requests('500', '7x30') },
    minutes: 20,
  },
  {
    alert: 'HighErrorRate',
    name: 'the errors of one job are not diluted by another',
    series: {
      ...requests('200', '0+10000x30', 'web'),
      ...requests('200', '0+50x30'),
      ...requests('500', '0+50x30'),
    },
    firesAt: 6,
    minutes: 20,
    labels: { job: 'backend' },
    summary: '50% of the responses of backend are server errors',
  },
  {
    alert: 'HighCPUUsage',
    name: '85 percent of the quota fire after 10 minutes',
    series: { ...twoCores, ...used('0+102x40') },
    // A minute of the window lies before the first value.
    firesAt: 12,
    minutes: 30,
    labels: container,
    summary: 'atrium/backend-0 (server) uses 85% of its CPU quota',
  },
  {
    alert: 'HighCPUUsage',
    name: 'exactly 80 percent is not above',
    series: { ...twoCores, ...used('0+96x40') },
    minutes: 30,
  },
  {
    alert: 'HighCPUUsage',
    name: 'all of the quota, for 7 minutes only',
    series: { ...twoCores, ...used('0+120x7 840+6x30') },
    minutes: 30,
  },
  {
    alert: 'HighCPUUsage',
    name: 'a container without a quota may use what there is',
    series: { ...used('0+240x40'), [`container_spec_cpu_quota{${ofContainer}}`]: '-1x40' },
    minutes: 30,
  },
  {
    alert: 'MemoryPressure',
    name: '91 percent of the limit fire after 5 minutes',
    series: memory('910x20', '1000x20'),
    firesAt: 5,
    minutes: 15,
    labels: container,
    summary: 'atrium/backend-0 (server) uses 91% of its memory limit',
  },
  {
    alert: 'MemoryPressure',
    name: 'exactly 90 percent is not above',
    series: memory('900x20', '1000x20'),
    minutes: 15,
  },
  {
    alert: 'MemoryPressure',
    name: 'all of the limit, for 4 minutes only',
    series: memory('1000x4 500x15', '1000x20'),
    minutes: 15,
  },
  {
    alert: 'MemoryPressure',
    name: 'a container without a limit may use what there is',
    series: memory('1000x20', '0x20'),
    minutes: 15,
  },
  {
    alert: 'MemoryPressure',
    name: 'the sum of a pod is not counted as a container of it',
    series: {
      'container_memory_working_set_bytes{namespace="atrium",pod="backend-0",container=""}': '1000x20',
      'container_spec_memory_limit_bytes{namespace="atrium",pod="backend-0",container=""}': '1000x20',
    },
    minutes: 15,
  },
  {
    alert: 'FrequentPodRestarts',
    name: 'the sixth restart within an hour fires',
    series: restarts('0x60 1x4 2x4 3x4 4x4 5x4 6x60'),
    firesAt: 86,
    minutes: 90,
    labels: { namespace: 'atrium', pod: 'backend-0' },
    summary: 'atrium/backend-0 has restarted 6 times within an hour',
  },
  {
    alert: 'FrequentPodRestarts',
    name: 'five restarts within an hour',
    series: restarts('0x60 1x4 2x4 3x4 4x4 5x90'),
    minutes: 150,
  },
  {
    alert: 'FrequentPodRestarts',
    name: 'six restarts, the last of them within 100 minutes of the first',
    series: restarts('0x60 1x19 2x19 3x19 4x19 5x19 6x60'),
    minutes: 220,
  },
  {
    alert: 'FrequentPodRestarts',
    name: 'six restarts within 51 minutes',
    series: restarts('0x60 1x9 2x9 3x9 4x9 5x9 6x60'),
    firesAt: 111,
    minutes: 115,
    labels: { namespace: 'atrium', pod: 'backend-0' },
    summary: 'atrium/backend-0 has restarted 6 times within an hour',
  },
  {
    alert: 'SocketIOConnectionDrop',
    name: '11 disconnections per second of two kinds together',
    series: { ...disconnects('ping timeout', '0+360x20'), ...disconnects('transport close', '0+300x20') },
    firesAt: 5,
    minutes: 15,
    labels: { job: 'backend' },
    summary: 'backend loses 11 socket connections per second',
  },
  {
    alert: 'SocketIOConnectionDrop',
    name: 'exactly 10 per second is not above',
    series: disconnects('ping timeout', '0+600x20'),
    minutes: 15,
  },
  {
    alert: 'SocketIOConnectionDrop',
    name: '2,900 at once are less than 10 per second over 5 minutes',
    series: disconnects('ping timeout', '0x10 2900x20'),
    minutes: 25,
  },
  {
    alert: 'SocketIOConnectionDrop',
    name: '3,600 at once are more than 10 per second over 5 minutes',
    series: disconnects('ping timeout', '0x9 3600x20'),
    firesAt: 10,
    minutes: 14,
    labels: { job: 'backend' },
    summary: 'backend loses 12 socket connections per second',
  },
]
