<?php
declare(strict_types=1);

namespace Kobo;

/** Webhook events. */
final class Events
{
    private const TOLERANCE_SECONDS = 300;
    /** The gateway sends at most two signatures. */
    private const SIGNATURES_MAX = 5;

    /**
     * Verifies a request's signature and returns its event. Pass the raw body (`php://input`) and the headers by lowercase name.
     *
     * @param array<string, string> $headers
     * @param string|list<string> $secretKey the merchant's; during a rotation, both the old and the new one
     * @return array{eventType: string, eventData: array<string, mixed>}
     */
    public static function verify(string $body, array $headers, string|array $secretKey, ?int $now = null): array
    {
        if (in_array('', (array) $secretKey, true)) throw new \InvalidArgumentException('secretKey is missing');
        $id = $headers['webhook-id'] ?? '';
        $timestamp = $headers['webhook-timestamp'] ?? '';
        $given = array_slice(explode(' ', $headers['webhook-signature'] ?? ''), 0, self::SIGNATURES_MAX);
        if ($id === '' || preg_match('/^\d{1,12}$/', $timestamp) !== 1)
            throw new InvalidSignature('The headers webhook-id, webhook-timestamp and webhook-signature are missing or malformed');
        // Rejects replayed requests.
        if (abs(($now ?? time()) - (int) $timestamp) > self::TOLERANCE_SECONDS)
            throw new InvalidSignature('The signature\'s time differs from now by more than ' . self::TOLERANCE_SECONDS . ' seconds');
        $isGenuine = false;
        foreach ((array) $secretKey as $secret) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
            foreach ($given as $signature) $isGenuine = hash_equals($expected, $signature) || $isGenuine;
        }
        if (!$isGenuine) throw new InvalidSignature('The signature does not match');
        return json_decode($body, true, 64, JSON_THROW_ON_ERROR);
    }

    /**
     * The headers of the current request.
     *
     * @return array<string, string>
     */
    public static function headers(): array
    {
        $headers = [];
        foreach ($_SERVER as $name => $value)
            if (str_starts_with($name, 'HTTP_')) $headers[strtolower(str_replace('_', '-', substr($name, 5)))] = $value;
        return $headers;
    }
}
