/** Whether a status says that a server, the database or the storage is away, and nothing else: by the proxy, or by a server. */
export const isAway = (status: number): boolean => status === 502 || status === 503 || status === 504;
