import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PciDisplay } from './other-gpus.ts'

/** Display controllers have a class that begins with 03. */
const displayClass = 0x03
/** More than any machine has. */
const maxDevices = 4_096

/** The cards that Linux lists, with or without a driver; none elsewhere. */
export async function readPciDisplays(folder = '/sys/bus/pci/devices'): Promise<PciDisplay[]> {
  const addresses = await readdir(folder).catch(() => [])
  const devices = await Promise.all(
    addresses.slice(0, maxDevices).map(async (address): Promise<PciDisplay[]> => {
      const read = (name: string) => numberAt(join(folder, address, name))
      const deviceClass = await read('class')
      const vendorId = await read('vendor')
      if (deviceClass === undefined || deviceClass >> 16 !== displayClass || vendorId === undefined) return []
      const vramBytes = await read('mem_info_vram_total')
      const vramUsedBytes = await read('mem_info_vram_used')
      return [
        {
          vendorId,
          address,
          ...(vramBytes === undefined ? {} : { vramBytes }),
          ...(vramUsedBytes === undefined ? {} : { vramUsedBytes }),
        },
      ]
    }),
  )
  return devices.flat()
}

async function numberAt(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const value = Number(text.trim())
  return text.trim() !== '' && Number.isSafeInteger(value) ? value : undefined
}
