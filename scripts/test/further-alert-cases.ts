import type { AlertCase } from './alert-cases.ts'

const ofJob = 'job="backend",instance="a"'
const backend = { job: 'backend' }
const turns = (outcome: string, values: string) => ({
  [`agent_turns_total{${ofJob},outcome="${outcome}"}`]: values,
})
const routed = (status: string, values: string) => ({
  [`router_requests_total{job="router",instance="r",target="room",status="${status}"}`]: values,
})
const failed = (values: string) => ({
  'transcode_jobs_total{job="worker",instance="w",end="failed"}': values,
})

/** As `alertCases`, for the alerts that are not the contract's. */
export const furtherAlertCases: AlertCase[] = [
  {
    alert: 'InstanceDown',
    name: 'fires two minutes after the first scrape that failed',
    series: { [`up{${ofJob}}`]: '1x3 0x20', 'up{job="backend",instance="b"}': '1x23' },
    firesAt: 6,
    minutes: 20,
    labels: { ...backend, instance: 'a' },
    summary: 'a of backend does not respond',
  },
  {
    alert: 'InstanceDown',
    name: 'a restart within two minutes does not',
    series: { [`up{${ofJob}}`]: '1x3 0x1 1x20' },
    minutes: 20,
  },
  {
    alert: 'RouterErrors',
    name: '6 percent fire after 5 minutes',
    series: { ...routed('200', '0+94x30'), ...routed('502', '0+6x30') },
    firesAt: 6,
    minutes: 20,
    labels: { job: 'router' },
    summary: '6% of the responses through router are server errors',
  },
  {
    alert: 'RouterErrors',
    name: 'exactly 5 percent is not above',
    series: { ...routed('200', '0+95x30'), ...routed('502', '0+5x30') },
    minutes: 20,
  },
  {
    alert: 'NoCapacity',
    name: 'fires when people have waited for two minutes',
    series: { [`app_waiting_for_capacity{${ofJob}}`]: '0x3 4x20' },
    firesAt: 6,
    minutes: 15,
    labels: backend,
    summary: '4 people wait for an instance with space',
  },
  {
    alert: 'NoCapacity',
    name: 'a minute is nothing, and nor is nobody',
    series: { [`app_waiting_for_capacity{${ofJob}}`]: '0x3 4 0x20' },
    minutes: 15,
  },
  {
    alert: 'LittleSpace',
    name: 'one GiB fires after 5 minutes',
    series: { [`app_storage_free_bytes{${ofJob}}`]: '1073741824x40' },
    firesAt: 5,
    minutes: 15,
    labels: backend,
    summary: '1GiB are free on the disk of backend',
  },
  {
    alert: 'LittleSpace',
    name: 'two GiB are enough, and nobody sees the disk of PostgreSQL',
    series: { [`app_storage_free_bytes{${ofJob}}`]: '2147483648x40' },
    minutes: 15,
  },
  {
    alert: 'AgentsFallBack',
    name: '24 percent of all turns fire after 5 minutes',
    series: { ...turns('applied', '0+19x40'), ...turns('fallback', '0+4x40'), ...turns('timeout', '0+2x40') },
    firesAt: 6,
    minutes: 20,
    labels: backend,
    summary: '24% of the turns of agents do without their model',
  },
  {
    alert: 'AgentsFallBack',
    name: 'exactly a fifth is not above, and a reply that came too late for its room is none',
    series: { ...turns('applied', '0+15x40'), ...turns('fallback', '0+4x40'), ...turns('refused', '0+1x40') },
    minutes: 20,
  },
  {
    alert: 'AgentsFallBack',
    name: 'nobody runs agents',
    series: turns('applied', '0x40'),
    minutes: 10,
  },
  {
    alert: 'FilmsFail',
    name: 'the sixth failure within an hour fires',
    series: failed('0x5 1x5 5x5 6x40'),
    firesAt: 18,
    minutes: 30,
    labels: { job: 'worker' },
    summary: '6 videos could not be made ready within an hour',
  },
  {
    alert: 'FilmsFail',
    name: 'five do not, and nor do six within two hours',
    series: failed('0x5 3x40 5x40 6x40'),
    minutes: 120,
  },
]
