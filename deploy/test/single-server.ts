import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployFolder } from '../render/chart.ts'

export const folder = join(deployFolder, 'single-server')
export const root = join(deployFolder, '..')

/** Where the files expect Atrium to be installed. */
export const installedIn = '/opt/atrium'

export const readFile = (name: string): string => readFileSync(join(folder, name), 'utf8')

/** The settings of a unit of systemd; a setting that is given twice has both values. */
export function readUnit(name: string): Record<string, string[]> {
  const unit: Record<string, string[]> = {}
  for (const [, key = '', value = ''] of readFile(name).matchAll(/^([A-Za-z]+)=(.*)$/gm))
    unit[key] = [...(unit[key] ?? []), value]
  return unit
}
