import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Finding, problem } from '../doctor/finding.ts'
import { codeOf } from '../doctor/gather/error-code.ts'
import { gatherPackages } from '../doctor/gather/installed-packages.ts'
import { judgeNode, judgePackages } from '../doctor/judge/machine.ts'
import { isSound, jsonOf, renderFindings } from '../doctor/render.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** What needs no packages is imported above. The rest is loaded late, so that it can be said which one is missing. */
async function diagnoseInstallation(): Promise<Finding[]> {
  try {
    const { diagnose } = await import('../doctor/diagnose.ts')
    return await diagnose(process.env)
  } catch (error) {
    const found = `Nothing else could be checked (${codeOf(error)}).`
    return [problem('doctor', found, 'Fix the problems above, and run it again.')]
  }
}

try {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
  const findings = [
    judgeNode(process.versions.node),
    judgePackages(await gatherPackages(root)),
    ...(await diagnoseInstallation()),
  ]
  // Not only `exitCode`: a check that hangs must not keep us.
  process.stdout.write(values.json ? jsonOf(findings) : renderFindings(findings), () =>
    process.exit(isSound(findings) ? 0 : 1),
  )
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 2
}
