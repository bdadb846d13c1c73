<?php
declare(strict_types=1);

namespace Kobo;

/**
 * The result of an attempt: a response of the gateway, or a failure.
 *
 * @internal
 */
final class Response
{
    /**
     * @param ?int $status null if there was no response
     * @param array<string, string> $headers
     * @param ?array<string, mixed> $envelope null if the response is not from a gateway
     */
    private function __construct(
        public readonly ?int $status,
        public readonly array $headers,
        public readonly ?array $envelope,
        private readonly string $why,
    ) {
    }

    /** Sends a request once. */
    public static function to(string $method, string $url, array $headers, ?string $body, int $timeoutSeconds): self
    {
        $received = [];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false, // keys and tokens must not follow a redirect
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT => $timeoutSeconds,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$received): int {
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) $received[strtolower(trim($parts[0]))] = trim($parts[1]);
                return strlen($line);
            },
        ]);
        if ($body !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
        $text = curl_exec($curl);
        if ($text === false) return new self(null, [], null, 'The gateway does not respond: ' . curl_error($curl));
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $envelope = json_decode($text, true, 64);
        $isGateway = is_array($envelope) && isset($envelope['requestSuccessful']);
        return new self($status, $received, $isGateway ? $envelope : null, "The response with status $status is not from a Kobo gateway");
    }

    /** Returns the response body without the envelope, or throws `Refused` or `NoResponse`. */
    public function concluded(?string $idempotencyKey): mixed
    {
        if ($this->envelope === null || $this->status === null) throw new NoResponse($this->why, $this->status, $idempotencyKey);
        if ($this->status === 200) return $this->envelope['responseBody'] ?? null;
        throw new Refused(
            $this->envelope['responseMessage'],
            $this->status,
            $this->headers['kobo-refusal'] ?? null,
            $this->envelope['responseCode'],
            $this->headers['x-request-id'] ?? null,
        );
    }
}
