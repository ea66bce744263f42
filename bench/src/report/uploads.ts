import type { UploadFigures, UploadsResult } from '../suites/uploads.ts'
import { type Finding, findingLine } from './finding.ts'
import type { Section } from './section.ts'
import { table } from './table.ts'

const minThroughput = 0.5

export function renderUploads({ mebibytes, rounds, figures }: UploadsResult): Section {
  const rows = figures.map(({ name, mebibytesPerSecond, cpuMsPerGibibyte }) => [
    name,
    mebibytesPerSecond.toFixed(0),
    cpuMsPerGibibyte.toFixed(0),
  ])
  const of = (name: string) => figures.find((figure) => figure.name === name)
  const findings = ['file copy', 'nginx PUT'].flatMap((peer) =>
    ['Atrium, one PUT', 'Atrium, parts'].flatMap((way): Finding[] => {
      const over = (pick: (figure?: UploadFigures) => number) => pick(of(way)) / pick(of(peer))
      const throughput = over((figure) => figure?.mebibytesPerSecond ?? Number.NaN)
      const cpu = over((figure) => figure?.cpuMsPerGibibyte ?? Number.NaN)
      return [
        { what: `Throughput, ${way} ÷ ${peer}`, value: throughput, least: minThroughput },
        { what: `CPU, ${way} ÷ ${peer}`, value: cpu },
      ]
    }),
  )
  const text = `## Uploads: a file of ${mebibytes} MiB, durable, ${rounds} times

${table(['way', 'MiB/s', 'CPU ms/GiB'], rows)}

${findings.map((finding) => findingLine(finding, missingIn(finding))).join('\n')}

- CPU is that of the program that writes the file, not of the client that sends it.
- *file copy* copies within the file system and waits for the disk. *nginx PUT* receives the file over loopback without
  looking at it (\`dav_methods PUT\`, one worker); since it does not wait for the disk, the benchmark does.
- *Atrium* verifies the signature, computes the MD5 (the ETag), and waits for the disk; parts have 100 MiB, four at once.
`
  return { text, findings }
}

const missingIn = ({ value }: Finding): string =>
  Number.isNaN(value) ? 'Not installed: `apt-get install nginx-light`.' : ''
