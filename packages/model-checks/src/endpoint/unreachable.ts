const certificateCodes = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]

/** Why no answer came, and what to do: one or two sentences that follow “endpoint unreachable: ”. */
export function explainUnreachable(error: unknown, baseUrl: string): string {
  const { protocol, host, hostname, port } = new URL(baseUrl)
  const { name, code, message } = causeOf(error)
  if (certificateCodes.includes(code))
    return `the certificate of ${host} is self-signed or from an authority that this machine does not know. Set NODE_EXTRA_CA_CERTS to a file with that authority’s certificate (PEM), or use a certificate of a public authority; the platform needs to trust it as well.`
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens at ${baseUrl}. Start the model server, and check the host and the port of the base URL.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `there is no host ${hostname}. Check the spelling of the base URL; the host of a quick tunnel changes on every restart.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `no connection to ${host}. Check that the machine is running and that no firewall blocks port ${port || defaultPort(protocol)}.`
    case 'CERT_HAS_EXPIRED':
      return `the certificate of ${host} has expired. Renew it.`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `the certificate is not for ${hostname}. Use the host name that the certificate is for.`
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return `${host} closed the connection without an answer. ${otherScheme(protocol)} Otherwise, look into the log of the model server.`
    case 'AGENT_ADDRESS_REFUSED':
      return `the platform refuses the address of ${host}, or gets no connection. ${message}`
    case 'REPLY_TOO_LARGE':
    case 'REPLY_ENCODED':
    case 'REPLY_MALFORMED':
      return `${host} answered in a way that the platform does not accept. ${message}`
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return `${host} does not speak TLS properly. ${otherScheme(protocol)}`
  if (name === 'HTTPParserError' || code.startsWith('HPE_'))
    return `${host} does not speak HTTP. ${otherScheme(protocol)}`
  if (message === 'bad port')
    return `Node refuses to connect to port ${port}, which is reserved for another protocol. Run the model server on another port.`
  return `no answer from ${host} (${code || message}). Check the base URL and that the model server is running.`
}

const defaultPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80')

const otherScheme = (protocol: string): string =>
  protocol === 'https:'
    ? 'If the server has no certificate, the base URL begins with http://.'
    : 'If the server expects TLS, the base URL begins with https://.'

/** `fetch` wraps the error of the connection, and for a host with several addresses that one wraps one for each. */
function causeOf(error: unknown): { name: string; code: string; message: string } {
  if (!(error instanceof Error)) return { name: '', code: '', message: 'unknown error' }
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  if (inner instanceof Error) return causeOf(inner)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { name: error.name, code, message: error.message }
}
