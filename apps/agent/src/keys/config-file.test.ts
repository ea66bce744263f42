import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder, type TemporaryFolder } from '@atrium/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { userFolders } from '../files/index.ts'
import { readOrCreateKey } from './config-file.ts'

let home: TemporaryFolder
let folder: string
let said: string[]
beforeEach(() => {
  home = createTemporaryFolder('agent-keys')
  folder = join(home.path, '.config', 'atrium-agent')
  said = []
})
afterEach(() => home.remove())

const key = (regenerate = false) => readOrCreateKey({ folder, regenerate, say: (text) => said.push(text) })
const file = () => join(folder, 'config.json')
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('the API key', () => {
  test('[R46] begins with atr_, is made once, and is kept where only its user can read it', async () => {
    const made = await key()
    expect(made).toMatch(/^atr_[A-Za-z0-9_-]{43}$/)
    expect(await key()).toBe(made)
    expect(await modeOf(file())).toBe('600')
    expect(await modeOf(folder)).toBe('700')
    expect(await readdir(folder)).toEqual(['config.json'])
    expect(said).toEqual([])
  })

  test('[AG71] first runs at the same time end with one key', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => key()))
    expect(new Set(keys).size).toBe(1)
    expect(await readdir(folder)).toEqual(['config.json'])
  })

  test('[AG70] --regenerate-key replaces the key and keeps what else is in the file', async () => {
    const old = await key()
    const config = JSON.parse(await readFile(file(), 'utf8'))
    await writeFile(file(), JSON.stringify({ ...config, note: 'mine' }))
    const made = await key(true)
    expect(made).not.toBe(old)
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ apiKey: made, note: 'mine' })
    expect(await key()).toBe(made)
  })

  test('[AG72] files and folders that others can read are closed, and that is said', async () => {
    const made = await key()
    await chmod(file(), 0o644)
    await chmod(folder, 0o755)
    expect(await key()).toBe(made)
    expect(await modeOf(file())).toBe('600')
    expect(await modeOf(folder)).toBe('700')
    expect(said).toEqual([
      expect.stringContaining('was open to other users'),
      expect.stringContaining('--regenerate-key'),
    ])
  })

  test.each([
    ['broken JSON', '{"apiKey": "atr_'],
    ['a list', '[]'],
    ['nothing', ''],
    ['too much', `{"x":"${'a'.repeat(70_000)}"}`],
  ])('[AG73] %s is refused with a sentence, and --regenerate-key helps', async (_, text) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file(), text, { mode: 0o600 })
    await expect(key()).rejects.toThrow(/is not the JSON that this tool wrote.*--regenerate-key/)
    const made = await key(true)
    expect(await key()).toBe(made)
  })

  test.each(['atr_short', 'sk-another', 7, null])('[AG73] %j is not a key of ours', async (apiKey) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file(), JSON.stringify({ apiKey }), { mode: 0o600 })
    await expect(key()).rejects.toThrow(/no API key of this tool.*--regenerate-key/)
  })

  test('[AG74] symbolic links are not followed: neither the file nor the folder', async () => {
    const elsewhere = join(home.path, 'elsewhere')
    await mkdir(elsewhere)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(elsewhere, 'stolen.json'), '{}')
    await symlink(join(elsewhere, 'stolen.json'), file())
    for (const regenerate of [false, true])
      await expect(key(regenerate)).rejects.toThrow(/config.json is a symbolic link/)
    expect(await readFile(join(elsewhere, 'stolen.json'), 'utf8')).toBe('{}')

    folder = join(home.path, 'linked')
    await symlink(elsewhere, folder)
    await expect(key()).rejects.toThrow(/linked is a symbolic link/)
  })

  test('[AG74] something else in the place of the file or folder is named', async () => {
    await mkdir(join(folder, 'config.json'), { recursive: true, mode: 0o700 })
    await expect(key()).rejects.toThrow(/config.json is not a file/)
    folder = join(home.path, 'file')
    await writeFile(folder, '')
    await expect(key()).rejects.toThrow(/file is not a folder/)
    folder = join(home.path, 'file', 'below')
    await expect(key()).rejects.toThrow(/cannot be created \(ENOTDIR\)/)
  })

  test('[AG75] a file or folder of another user is refused', async () => {
    await key()
    const { geteuid } = process
    const own = geteuid?.()
    Object.assign(process, { geteuid: () => 12_345 })
    try {
      await expect(key()).rejects.toThrow(/The folder .* belongs to another user/)
    } finally {
      Object.assign(process, { geteuid })
    }
    if (own !== 0) return // Only root can give a file away.
    await chown(file(), 12_345, 12_345)
    await expect(key()).rejects.toThrow(/config.json belongs to another user \(12345\)/)
  })

  test('[AG75] a file that this user cannot read is refused', async () => {
    // Root reads everything, so it becomes nobody for a moment.
    const nobody = 65_534
    const isRoot = process.geteuid?.() === 0
    if (isRoot) await chown(home.path, nobody, nobody)
    if (isRoot) process.seteuid?.(nobody)
    try {
      await key()
      await chmod(file(), 0o000)
      await expect(key()).rejects.toThrow(/cannot be read \(EACCES\).*chmod 600/)
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })
})

describe('[AG76] the folders of a user', () => {
  test.each([
    ['linux', {}, '/home/ada', '/home/ada/.config/atrium-agent', '/home/ada/.cache/atrium-agent'],
    [
      'linux',
      { XDG_CONFIG_HOME: '/etc/ada', XDG_CACHE_HOME: '/big' },
      '/home/ada',
      '/etc/ada/atrium-agent',
      '/big/atrium-agent',
    ],
    [
      'linux',
      { XDG_CONFIG_HOME: 'relative', XDG_CACHE_HOME: '' },
      '/home/ada',
      '/home/ada/.config/atrium-agent',
      '/home/ada/.cache/atrium-agent',
    ],
    [
      'darwin',
      {},
      '/Users/ada',
      '/Users/ada/Library/Application Support/atrium-agent',
      '/Users/ada/Library/Caches/atrium-agent',
    ],
    [
      'win32',
      { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
      'C:\\Users\\ada',
      'C:\\Users\\ada\\AppData\\Roaming\\atrium-agent',
      'C:\\Users\\ada\\AppData\\Local\\atrium-agent\\Cache',
    ],
  ])('are those of %s with %j', (platform, env, home, config, cache) => {
    expect(userFolders(env, platform, home)).toEqual({ config, cache })
  })
})
