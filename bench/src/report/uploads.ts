import type { UploadsResult } from '../suites/uploads.ts'
import { table, verdict } from './report.ts'

const minThroughput = 0.5

export function renderUploads({ mebibytes, rounds, figures }: UploadsResult): string {
  const rows = figures.map(({ name, mebibytesPerSecond, cpuMsPerGibibyte }) => [
    name,
    mebibytesPerSecond.toFixed(0),
    cpuMsPerGibibyte.toFixed(0),
  ])
  const of = (name: string) => figures.find((figure) => figure.name === name)
  const ratios = ['file copy', 'nginx PUT'].flatMap((peer) =>
    ['Atrium, one PUT', 'Atrium, parts'].map((way) => {
      const [ours, theirs] = [of(way), of(peer)]
      if (!ours || !theirs)
        return `- ${way} ÷ ${peer}: not measured. Not installed: \`apt-get install nginx-light\`.`
      const throughput = ours.mebibytesPerSecond / theirs.mebibytesPerSecond
      const cpu = ours.cpuMsPerGibibyte / theirs.cpuMsPerGibibyte
      return `- ${way} ÷ ${peer}: throughput **${throughput.toFixed(2)}** (target ≥ ${minThroughput}: ${verdict(throughput >= minThroughput)}), CPU **${cpu.toFixed(1)}**`
    }),
  )
  return `## Uploads: a file of ${mebibytes} MiB, durable, ${rounds} times

${table(['way', 'MiB/s', 'CPU ms/GiB'], rows)}

${ratios.join('\n')}

- CPU is that of the program that writes the file, not of the client that sends it.
- *file copy* copies within the file system and waits for the disk. *nginx PUT* receives the file over loopback without
  looking at it (\`dav_methods PUT\`, one worker); since it does not wait for the disk, the benchmark does.
- *Atrium* verifies the signature, computes the MD5 (the ETag), and waits for the disk; parts have 100 MiB, four at once.
`
}
