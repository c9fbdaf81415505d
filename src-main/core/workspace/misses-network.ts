/** How the usual tools say that a name cannot be looked up or that there is no way to a machine. */
const SIGNS: readonly RegExp[] = [
  /\b(?:EAI_AGAIN|EAI_NONAME|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|ERR_INTERNET_DISCONNECTED)\b/,
  /temporary failure (?:in name resolution|resolving)/i,
  /name or service not known|nodename nor servname provided|unknown host|UnknownHostException/i,
  /could ?n[o']t resolve (?:host|proxy)|could not resolve|failed to lookup address|dns error/i,
  /network is unreachable|no route to host/i,
  /\bdial (?:tcp|udp)\b.*(?:no such host|refused|unreachable|misbehaving)/i,
  /\blookup \S+.*(?:no such host|server misbehaving|connection refused)/i,
];

/** Whether the output of a command reads as if it failed for want of the network. */
export const missesNetwork = (output: string): boolean => SIGNS.some((sign) => sign.test(output));
