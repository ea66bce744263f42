import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { deployFolder, headOf, rendererInput, valuesOf } from './chart.ts'

/** Debian packages. Two of them hold no programs, so they count as missing when `go` is; a `go` without them names them itself. */
export const goPrograms = [
  { program: 'go', package: 'golang-github-masterminds-sprig-dev' },
  { program: 'go', package: 'golang-gopkg-yaml.v3-dev' },
  { program: 'go', package: 'golang-go' },
]

export const renderExample = (example: string): string => headOf(example) + renderChart(valuesOf(example))

/** The manifests, or an error with the sentence of the template that refuses these values. */
export function renderChart(values: Parameters<typeof rendererInput>[0]): string {
  const { status, stdout, stderr, error } = spawnSync(
    'go',
    ['run', join(deployFolder, 'render', 'main.go')],
    {
      input: rendererInput(values),
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
      // Debian keeps the sources of Go packages here; without modules, nothing is downloaded.
      env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' },
    },
  )
  if (error) throw error
  if (status !== 0) throw new Error(stderr)
  return stdout
}
