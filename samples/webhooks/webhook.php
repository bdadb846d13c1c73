<?php
// A webhook endpoint in PHP without packages: KOBO_SECRET_KEY=… php -S 127.0.0.1:3000 webhook.php
declare(strict_types=1);

$secretKey = (string) getenv('KOBO_SECRET_KEY');
if ($secretKey === '') { // anyone can sign with an empty key
    error_log('KOBO_SECRET_KEY is missing');
    http_response_code(500);
    return;
}
$body = file_get_contents('php://input'); // the raw body, before parsing
$expected = hash_hmac('sha512', $body, $secretKey);
if (!hash_equals($expected, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    return;
}
$event = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
error_log('received ' . $event['eventType'] . ' ' . ($event['eventData']['paymentReference'] ?? ''));
http_response_code(200);
