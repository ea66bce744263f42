import { errorCatalogue, errorCodes, errorGuide, limits } from '@atrium/contract'
import { type Html, html, prose } from './html.ts'
import { codeAnchor } from './reference-operation.ts'

export const errorCatalogueSection = (): Html => html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>Every refusal has one of these codes. The message may be more exact than the sentence here; the code is what a program should read.</p>
<div class="scroll"><table class="codes"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning and what to do</th></tr></thead>
<tbody>${errorCodes.map((code) => {
  const { action, details } = errorGuide[code]
  return html`<tr id="${codeAnchor(code)}"><td><code>${code}</code></td><td class="status">${errorCatalogue[code].status}</td>
<td>${prose(errorCatalogue[code].sentence)}<br><span class="may">${prose(action)}${prose(details ? ` Details: ${details}.` : '')}</span></td></tr>`
})}</tbody></table></div>
</section>`

const count = (value: number) => value.toLocaleString('en')

/** `groupSize` reads `group size`. */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const researcherWork: Record<string, string> = {
  read: 'reading',
  write: 'changing',
  check: 'saving definitions and dry runs',
  export: 'exports',
}

const limitRows = (): [string, string][] => [
  ...Object.entries(limits.requestsPerWindow).map(([endpoint, requests]): [string, string] => [
    `Participant API, ${endpoint}`,
    `${count(requests)} requests in ${limits.rateWindowSeconds} seconds`,
  ]),
  ...Object.entries(limits.researcherRequestsPerWindow).map(([work, requests]): [string, string] => [
    `Researcher API, ${researcherWork[work] ?? work}`,
    `${count(requests)} requests in ${limits.rateWindowSeconds} seconds`,
  ]),
  [
    'Guests from one address',
    `${count(limits.requestsPerAddressPerWindow.guest)} requests in ${limits.rateWindowSeconds} seconds`,
  ],
  [
    'Failed authentications from one address',
    `${count(limits.failedAuthenticationsPerWindow)} in ${limits.rateWindowSeconds} seconds`,
  ],
  ['Life of a session', `${limits.sessionLifetimeMs / 3_600_000} hours from join`],
  ['Request body', `${count(limits.bodyBytes)} bytes`],
  ['Events in a batch', count(limits.eventsPerBatch)],
  ['Metadata of a join', `${count(limits.metadataBytes)} bytes`],
  ['Nesting of JSON', `${count(limits.jsonDepth)} levels`],
  ...Object.entries(limits.definition).map(([what, most]): [string, string] => [
    `Experiment definition, ${inWords(what)}`,
    count(most),
  ]),
  ['Rooms on an instance', `${count(limits.roomsPerPod)} unless configured otherwise`],
  ['Participants on an instance', `${count(limits.participantsPerPod)} unless configured otherwise`],
  ['Socket connections on an instance', count(limits.socketsPerInstance)],
  ['Message over a socket', `${count(limits.socketMessageBytes)} bytes`],
  ['Bytes of a participant over sockets', `${count(limits.socketBytesPerMinute)} in 60 seconds`],
]

export const limitsSection = (): Html => html`<section aria-labelledby="limits">
<h2 id="limits">Limits</h2>
<p>Discover, events and complete are counted per session; join and history per person, a researcher’s requests per researcher. In v3 everything is counted per person.</p>
<div class="scroll"><table><thead><tr><th scope="col">What</th><th scope="col">Limit</th></tr></thead>
<tbody>${limitRows().map(([what, limit]) => html`<tr><td>${what}</td><td>${limit}</td></tr>`)}</tbody></table></div>
</section>`
