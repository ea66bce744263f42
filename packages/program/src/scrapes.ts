import { createServer, type Server } from 'node:http'
import { listenOn } from './address.ts'

export interface Scraped {
  contentType: string
  text(): Promise<string>
}

/** `/metrics` has a port of its own: participants must not read what operators scrape. */
export async function listenForScrapes(metrics: Scraped, host: string, port: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0]
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || (path !== '/metrics' && path !== '/')) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text())
  })
  await listenOn(server, host, port)
  return server
}
