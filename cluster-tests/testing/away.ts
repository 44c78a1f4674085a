/** Whether a status of the proxy or a server means only that a server, the database or the storage is unavailable. */
export const isAway = (status: number): boolean => status === 502 || status === 503 || status === 504;
