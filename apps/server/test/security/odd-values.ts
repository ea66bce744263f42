import type { ExperimentDefinition, RouteSpec } from '@atrium/contract'
import { type ApiResponse, codeOf, createResearcher, undocumented, type World } from '@atrium/testkit'
import { expect, onTestFinished } from 'vitest'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { oddAtTheEdge, oddJson } from './odd-json.ts'

export const oddValues = [...Object.values(oddJson), ...Object.values(oddAtTheEdge)]

export const game: ExperimentDefinition = {
  name: 'Odd values',
  states: [
    {
      id: 'talk',
      components: [
        { id: 'chat', type: 'chat' },
        { id: 'any', type: 'custom_html' },
      ],
    },
  ],
  matching: { groupSize: 2 },
}

/** The body with each of these values replaced in turn; missing properties are added. */
export function bodiesWith(body: object, places: string[], odd: string): string[] {
  return places.map((place) => {
    const copy = structuredClone(body)
    const names = place.split('/')
    const last = names.pop() ?? ''
    const parent = names.reduce<Record<string, unknown>>(
      (at, name) => at[name] as Record<string, unknown>,
      copy as never,
    )
    parent[last] = '@'
    return JSON.stringify(copy).replace('"@"', () => odd)
  })
}

/** Sends odd values and checks what must hold for all of them. */
export function oddTableIn(world: () => World) {
  const table = tableIn(world)

  async function post(
    route: RouteSpec,
    body: string,
    { headers = {}, params = {} }: { headers?: Record<string, string>; params?: Record<string, string> },
  ): Promise<void> {
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? name)
    const response = await fetch(table.server().http + path, {
      method: route.method,
      headers: { 'user-agent': 'atrium-test/1.0', 'content-type': 'application/json', ...headers },
      body,
    })
    const text = await response.text()
    const answer: ApiResponse = {
      status: response.status,
      headers: response.headers,
      text,
      body: JSON.parse(text),
    }
    const shown = `${route.method} ${path} ${body.slice(0, 300)} → ${text.slice(0, 300)}`
    expect(answer.status, shown).toBeLessThan(500)
    expect(answer.status < 400 || codeOf(answer) !== undefined, shown).toBe(true)
    expect(codeOf(answer), shown).not.toBe('RATE_LIMITED')
    expect(undocumented(route, answer), shown).toBeUndefined()
  }

  /** A separate room; the returned function checks that its members were not affected. */
  async function bystander() {
    const { sessions } = await table.seat(await table.open(game), 2)
    const people = await Promise.all(
      sessions.map(async (session) => ({ session, socket: await table.connect(session) })),
    )
    onTestFinished(() => {
      for (const { socket } of people) socket.close()
    })
    return async () => {
      for (const person of people) {
        // An instance without a processor for seconds loses its lease and drops its connections; the SDK comes back by itself.
        if (!person.socket.isConnected()) person.socket = await table.connect(person.session)
        await acknowledged(person.socket.act('send_message', { text: 'still here' }))
      }
    }
  }

  /** A new researcher each time, because of the rate limit. */
  const asResearcher = async () => {
    const { token } = await createResearcher(table.api, ['researcher', 'admin'])
    return { authorization: `Bearer ${token}` }
  }

  return { ...table, post, bystander, asResearcher }
}
